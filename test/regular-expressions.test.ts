import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const eslint = new ESLint({ cwd: root });

/** What the step of scripts/check.ts says to a file of src with this code. */
async function findingsOf(code: string): Promise<(string | null)[]> {
  const [result] = await eslint.lintText(code, { filePath: `${root}src/platform/planted.ts` });
  return result!.messages.map((message) => message.ruleId);
}

test.each([
  ['zeros at the end', "export const bare = (text: string) => text.replace(/0+$/, '');", 'regexp/no-super-linear-move'],
  [
    'nested repetition',
    'export const isList = (text: string) => /^(?:a+,?)+$/.test(text);',
    'regexp/no-super-linear-backtracking',
  ],
  [
    'two repetitions of the same',
    'export const isPair = (text: string) => /^\\s*(.*)\\s*$/.test(text);',
    'regexp/no-super-linear-backtracking',
  ],
  ['the same twice', 'export const isBare = /^(?:a|a)*$/;', 'regexp/no-dupe-disjunctions'],
  ['built of a text', "export const isBare = new RegExp('^(a+)+$');", 'regexp/no-super-linear-backtracking'],
  ['built at run time', 'export const of = (part: string) => new RegExp(part);', 'no-restricted-syntax'],
])('the check finds a regular expression that backtracks: %s', async (_name, code, rule) => {
  expect(await findingsOf(code)).toContain(rule);
});

test('the check lets a linear one pass', async () => {
  expect(await findingsOf('export const isCode = (text: string) => /^[A-Z]{1,20}(?:-\\d+)?$/.test(text);')).toEqual([]);
});
