import { PROBLEM_TEXTS } from '../../src/http/problem-texts.ts';

/** The code whose English text a message is: answers of imports tell texts alone. */
export function codeOfText(text: string): string {
  const found = Object.entries(PROBLEM_TEXTS).find(([code, { en }]) => {
    const pattern = en.replace(/[.*+?^$()[\]\\]/g, '\\$&').replace(/\{[^}]*\}/g, '.*');
    return code !== 'NOT_FOUND' && new RegExp(`^${pattern}$`).test(text);
  });
  return found?.[0] ?? text;
}
