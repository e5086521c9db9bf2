import { api } from '../../data/client.ts';
import type { FormRecord } from '../../ui/forms/form-value.ts';
import type { ReportType } from './report-types.ts';

/** A file that was printed. */
export interface Printed {
  readonly name: string;
  readonly type: string;
  readonly blob: Blob;
  /** What there is to say of it; undefined where there is nothing. */
  readonly note: string | undefined;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  PDF: 'application/pdf',
  CSV: 'text/csv',
  TXT: 'text/plain',
  XLSX: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

type Print = {
  (parts: { body: FormRecord; query: { async: 'true' } }): Promise<unknown>;
  response(parts: { body: FormRecord }, options: { accept: string; signal?: AbortSignal }): Promise<Response>;
};

function operationOf({ operation }: ReportType): Print {
  return (api.reports as unknown as Readonly<Record<string, Print>>)[operation]!;
}

/** The file itself, without an envelope around it. */
export async function printReport(type: ReportType, body: FormRecord, signal?: AbortSignal): Promise<Printed> {
  const accept = MEDIA_TYPES[String(body.visualizationEnum)]!;
  return printedOf(await operationOf(type).response({ body }, { accept, ...(signal && { signal }) }));
}

export async function printInBackground(type: ReportType, body: FormRecord): Promise<void> {
  await operationOf(type)({ body, query: { async: 'true' } });
}

export async function printedOf(response: Response): Promise<Printed> {
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'relatorio';
  const message = decodeURIComponent(response.headers.get('x-report-message') ?? '');
  const [, note] = message.split(/^Relatórios? gerados?(?:; )?/);
  const blob = await response.blob();
  return { name, type: (response.headers.get('content-type') ?? '').split(';')[0]!, blob, note: note || undefined };
}
