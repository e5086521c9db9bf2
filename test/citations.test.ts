import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// Comments cite decisions as "(domain: section)" or "(domain: section, number)": docs/domain.md has them.

const root = fileURLToPath(new URL('..', import.meta.url));

test('every decision that a comment cites is in docs/domain.md', () => {
  const cited = citations();
  expect(cited.length).toBeGreaterThan(15);
  expect(cited.filter((each) => !decisions().has(each))).toEqual([]);
});

function citations(): string[] {
  return ['src', 'migrations'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|sql)$/.test(name))
      .flatMap((name) => [...readFileSync(join(root, folder, name), 'utf8').matchAll(/\(domain: ([^)]*)\)/g)])
      .map((match) => match[1]!),
  );
}

/** 'posting' and 'posting, 1' for the first decision of the section Posting. */
function decisions(): Set<string> {
  const names = new Set<string>();
  let section = '';
  for (const line of readFileSync(join(root, 'docs', 'domain.md'), 'utf8').split('\n')) {
    if (line.startsWith('## ')) section = line.slice('## '.length).toLowerCase();
    const number = /^(\d+)\. /.exec(line)?.[1];
    if (section !== '') names.add(number === undefined ? section : `${section}, ${number}`);
  }
  return names;
}
