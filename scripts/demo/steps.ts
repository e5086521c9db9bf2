import type { ServiceName } from '../../src/platform/config.ts';
import type { Program } from '../../src/program.ts';
import { callJson } from '../call-json.ts';

// What every part of the sample does: send a request to a service, and say what was done and how long it took.

export type Send = <Answer>(service: ServiceName, method: string, path: string, body?: unknown) => Promise<Answer>;

export function caller(program: Program, token?: string): Send {
  return <Answer>(service: ServiceName, method: string, path: string, body?: unknown) =>
    callJson<Answer>(`${program.addresses[service]}${path}`, method, { token, body });
}

export async function step<T>(
  what: string,
  work: () => Promise<T>,
  describe: (result: T) => string = () => '',
): Promise<T> {
  const began = performance.now();
  const result = await work();
  console.log(`${seconds(began).padStart(8)}  ${what}  ${describe(result)}`.trimEnd());
  return result;
}

export function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(2)} s`;
}

/** A file as the upload routes take it. */
export function fileForm(name: string, content: string | Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  form.set('file', new Blob([content]), name);
  return form;
}
