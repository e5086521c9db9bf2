import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeClientSource } from './write-source.ts';

// node build.ts FOLDER: the package as it is published, in FOLDER/dist, made of src and of the documents of this very
// tree; nothing runs for it. `npm pack` does it.

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node build.ts FOLDER');
  process.exit(2);
}
const out = resolve(folder);
const source = join(out, 'source');
rmSync(join(out, 'dist'), { recursive: true, force: true });
await writeClientSource(source);
compile();

function compile(): void {
  const config = {
    compilerOptions: {
      target: 'ES2022',
      lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
      module: 'NodeNext',
      moduleResolution: 'NodeNext',
      strict: true,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      skipLibCheck: true,
      types: [],
      rootDir: '.',
      outDir: '../dist',
    },
    include: ['.'],
  };
  writeFileSync(join(source, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(join(source, 'package.json'), '{"type":"module"}');
  const tsc = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));
  const { status } = spawnSync(process.execPath, [tsc, '-p', source], { stdio: 'inherit' });
  rmSync(source, { recursive: true });
  if (status !== 0) process.exit(1);
}
