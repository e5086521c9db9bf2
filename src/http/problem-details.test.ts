import { expect, test } from 'vitest';
import { type Problem, problem } from '../accounting/problem.ts';
import { type RecordName, recordRef, usedBy } from '../accounting/record-name.ts';
import { problemDetails, textOf, wireProblem } from './problem-details.ts';
import { RECORD_NAMES } from './problem-texts/record-names.ts';
import { PROBLEM_TEXTS } from './problem-texts.ts';

const texts = (of: Problem) => [textOf(of, 'en'), textOf(of, 'pt')];

test('a problem calls its record by the name and gender of the language', () => {
  expect(texts(problem('NOT_FOUND', recordRef('Branch', 1)))).toEqual([
    'Branch 1 not found',
    'Filial 1 não encontrada',
  ]);
  expect(texts(problem('NOT_FOUND', recordRef('Document', 12)))).toEqual([
    'Document 12 not found',
    'Documento 12 não encontrado',
  ]);
  expect(texts(problem('NOT_FOUND', recordRef('Tax quota')))).toEqual([
    'Tax quota not found',
    'Cota calculada não encontrada',
  ]);
  expect(texts(problem('DUPLICATE', recordRef('Company', '0001')))).toEqual([
    'Company 0001 already exists',
    'Empresa 0001 já existe',
  ]);
  expect(texts(problem('IN_USE', usedBy(recordRef('Account', '1.1'), ['child accounts', 'entries'])))).toEqual([
    'Account 1.1 is in use by child accounts, entries',
    'Conta 1.1 está em uso por contas filhas, lançamentos',
  ]);
});

test('a key is data and is not read as a placeholder', () => {
  expect(textOf(problem('NOT_FOUND', recordRef('User', '{ending}')), 'pt')).toBe('Usuário {ending} não encontrado');
});

test.each(Object.keys(RECORD_NAMES) as RecordName[])('%s: its Portuguese name and participle agree', (name) => {
  const [first = ''] = RECORD_NAMES[name].pt.split(' ');
  const feminine = /(a|ão|ade|al|chave)$/i.test(first) && !MASCULINE.includes(first);
  expect(textOf(problem('NOT_FOUND', recordRef(name)), 'pt')).toMatch(feminine ? / encontrada$/ : / encontrado$/);
});

const MASCULINE = ['Dia', 'Sistema'];

test('of many problems the text names ten and counts the rest', () => {
  const unknown = Array.from({ length: 12 }, (_, at) => wireProblem('UNKNOWN_FIELD', { name: `f${at}` }, `f${at}`));
  expect(problemDetails(unknown, '/', 'pt').detail).toMatch(/^Campo desconhecido: f0; .*f9; e mais 2$/);
  expect(problemDetails(unknown, '/', 'en').detail).toMatch(/; and 2 more$/);
  const placed = [
    wireProblem('UNKNOWN_FIELD', { name: 'x' }, 'lines.0.x'),
    wireProblem('DAY_CLOSED', { day: '05/01/2026' }, 'day'),
  ];
  expect(problemDetails(placed, '/', 'pt').detail).toBe(
    'lines.0.x: Campo desconhecido: x; day: O dia 05/01/2026 está fechado',
  );
});

test('counts and amounts are written as the language writes them', () => {
  expect(texts(problem('TOO_MANY_ROWS', { limit: 1_000_000 }))).toEqual([
    'More than 1,000,000 rows: split the file',
    'Mais de 1.000.000 linhas: divida o arquivo',
  ]);
  expect(textOf(problem('BASE_BALANCES_UNBALANCED', { sum: '-640001.55' }), 'pt')).toContain('-640.001,55');
});

test.each(Object.entries(PROBLEM_TEXTS))('%s: its texts take the same parameters', (_code, { en, pt }) => {
  const names = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
  expect(names(pt).filter((name) => name !== '{ending}')).toEqual(names(en));
  expect(pt).not.toMatch(/\b(ficheiro|registo|utilizador|contacto|Demasiado|esperava)/i);
});

test('a reason is a code with words in both languages, or the words themselves', () => {
  expect(texts(problem('INVALID_FIELD', { reason: 'TOO_MANY_CHARACTERS', maximum: 20 }))).toEqual([
    'Invalid value: more than 20 characters',
    'Valor inválido: mais de 20 caracteres',
  ]);
  const reason = { en: 'is {odd}', pt: 'é {ímpar}' };
  expect(textOf(wireProblem('INVALID_FIELD', { reason }), 'pt')).toBe('Valor inválido: é {ímpar}');
});
