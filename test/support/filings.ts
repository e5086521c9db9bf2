import type { Client, Platform } from './platform.ts';

/** What a finished job says, as GET /regulatory/jobs/{id} answers it. */
export interface FilingEnd {
  readonly id: number;
  readonly status: 'DONE' | 'ERROR';
  readonly mensagem: string | null;
  readonly arquivo: string;
  readonly nomeArquivo: string;
  readonly linhas: number;
  readonly bytes: number;
  readonly sha256: string | null;
  readonly erros: number;
  readonly avisos: number;
  readonly livros: readonly { readonly livro: string; readonly numero: number }[];
  readonly remessa: string | null;
  readonly sinal: string | null;
  readonly tempo: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  readonly achados: readonly any[];
  readonly contagens: Readonly<Record<string, number>>;
  readonly entrega: number | null;
  readonly download: string | null;
}

/** Orders a file and waits for the end of its job. */
export async function writeFiling(client: Client, kind: 'ecd' | 'cosif', body: object): Promise<FilingEnd> {
  const asked = await client.post('reports', `/regulatory/${kind}`, body);
  if (asked.status !== 202) throw new Error(`POST /regulatory/${kind} answered ${asked.status}: ${asked.text}`);
  for (;;) {
    const { body: job } = await client.get('reports', `/regulatory/jobs/${asked.body.id}`);
    if (job.status === 'DONE' || job.status === 'ERROR') return job;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The bytes of a finished job's file. */
export async function downloadFiling(platform: Platform, { id }: Pick<FilingEnd, 'id'>): Promise<Buffer> {
  const answer = await fetch(`${platform.address('reports')}/regulatory/jobs/${id}/download`, {
    headers: { authorization: `Bearer ${platform.admin.token}` },
  });
  if (answer.status !== 200) throw new Error(`download answered ${answer.status}: ${await answer.text()}`);
  return Buffer.from(await answer.arrayBuffer());
}
