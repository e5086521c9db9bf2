import { bodyOf, type Client, type HttpAnswer } from './platform.ts';

/** A branch without books; its company has the CNPJ of the files that tests write. */
export interface EmptyBranch {
  readonly company: string;
  readonly branch: string;
}

let branches = 0;

export async function createEmptyBranch(
  client: Client,
  { cnpj = '11222333000181', name }: { readonly cnpj?: string; readonly name?: string } = {},
): Promise<EmptyBranch> {
  const company = `E${++branches}`;
  const address = { cnpj, zipCode: '01001000', street: 'Praça da Sé', city: 'São Paulo', state: 'SP' };
  await bodyOf(client.post('masterdata', '/company', { company, name: name ?? `Banco ${company}`, ...address }));
  await bodyOf(client.post('masterdata', '/branch', { company, branch: '0001', name: 'Matriz' }));
  return { company, branch: '0001' };
}

type Options = Readonly<Record<string, string>>;

/** Sends a file; by default it is imported into a chart of the company's own. */
export function postEcd(
  client: Client,
  { company, branch }: EmptyBranch,
  content: string | Uint8Array<ArrayBuffer>,
  options: Options = {},
): // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
Promise<HttpAnswer<any>> {
  const form = new FormData();
  form.set('file', new Blob([typeof content === 'string' ? Buffer.from(content, 'latin1') : content]), 'ecd.txt');
  const query = new URLSearchParams({ simular: 'false', plano: `PLANO-${company}`, ...options });
  return client.post('movements', `/importEcd/${company}/${branch}?${query}`, form);
}

/** Waits until the job has ended. */
// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
export async function endOfEcdImport(client: Client, id: number): Promise<any> {
  for (;;) {
    const job = await bodyOf(client.get('movements', `/importEcd/jobs/${id}`));
    if (job.status === 'DONE' || job.status === 'ERROR') return job;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Sends a file and waits for the end of its import. */
export async function importEcd(
  client: Client,
  branch: EmptyBranch,
  content: string | Uint8Array<ArrayBuffer>,
  options: Options = {},
) {
  const { status, text, body } = await postEcd(client, branch, content, options);
  if (status !== 202) throw new Error(`${status}: ${text}`);
  return endOfEcdImport(client, body.id);
}
