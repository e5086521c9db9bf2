import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { strToU8, Unzip, UnzipInflate, Zip, ZipDeflate } from 'fflate';
import { sheetPath, workbookParts } from '../../../platform/render/write-xlsx.ts';

/** Joins workbooks of one sheet, as our own writer makes them, into one with a sheet for each, streamed. */
export async function joinWorkbooks(
  parts: readonly { readonly path: string; readonly title: string }[],
  target: string,
): Promise<void> {
  const output = createWriteStream(target, { mode: 0o600 });
  const zip = new Zip((error, chunk) => {
    if (error) output.destroy(error);
    else output.write(chunk);
  });
  for (const [name, text] of Object.entries(workbookParts(parts.map(({ title }) => title)))) {
    const part = new ZipDeflate(name);
    zip.add(part);
    part.push(strToU8(text), true);
  }
  for (const [at, { path }] of parts.entries()) {
    const sheet = new ZipDeflate(sheetPath(at + 1), { level: 6 });
    zip.add(sheet);
    const source = new Unzip((file) => {
      if (file.name !== sheetPath(1)) return;
      file.ondata = (error, chunk, final) => {
        if (error) output.destroy(error);
        else sheet.push(chunk, final);
      };
      file.start();
    });
    source.register(UnzipInflate);
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      source.push(chunk);
      if (output.errored) throw output.errored;
      if (output.writableNeedDrain) await once(output, 'drain');
    }
    source.push(new Uint8Array(0), true);
  }
  zip.end();
  output.end();
  await finished(output);
}
