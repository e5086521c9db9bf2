import type { Path, Problem, ProblemCode, ProblemParams } from '../accounting/problem.ts';
import type { RecordName, RecordUser } from '../accounting/record-name.ts';
import type { Bilingual } from '../accounting/rule-language/bilingual.ts';
import type { Language } from './language.ts';
import { PHRASES } from './problem-texts/phrases.ts';
import { RECORD_NAMES, RECORD_USERS } from './problem-texts/record-names.ts';
import { PROBLEM_TEXTS } from './problem-texts.ts';

/** A problem in a response: `field` is the wire name of the input at fault. */
export interface WireProblem {
  readonly code: ProblemCode;
  readonly params: Readonly<Record<string, unknown>>;
  readonly field?: string;
  readonly path?: never;
}

/** What a problem of the wire takes: a reason may be said in words of its own. */
export type WireParams<Code extends ProblemCode> =
  | ProblemParams[Code]
  | ('reason' extends keyof ProblemParams[Code] ? { readonly reason: Bilingual } : never);

/** A problem of the input itself, at its wire name. */
export function wireProblem<Code extends ProblemCode>(
  code: Code,
  params: WireParams<Code>,
  field?: string,
): WireProblem {
  return { code, params: params as WireProblem['params'], ...(field === undefined ? {} : { field }) };
}

/** A problem of the books at the wire name that a route has for its path. */
export function problemToWire({ code, params, path }: Problem, nameOf: (path: string) => string | null): WireProblem {
  const field = path === undefined ? null : nameOf(path);
  const named = { code, params: namedParams(params, nameOf) };
  return field === null ? named : { ...named, field };
}

/** Inputs that the text names, by their wire names. */
function namedParams(params: Problem['params'], nameOf: (path: string) => string | null): Problem['params'] {
  if (!Object.values(params).some(isPath)) return params;
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, isPath(value) ? nameOf(value.path) : value]),
  );
}

function isPath(value: unknown): value is Path {
  return typeof value === 'object' && value !== null && 'path' in value;
}

/** Body of every error response: RFC 9457 plus the stable `code` and the fields at fault. */
export interface ProblemDetails {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: string;
  readonly errors: readonly { field: string; message: string }[];
}

/**
 * The response to a rejection: code and, unless another is given, status of its first problem, a line for each problem
 * that names a field.
 */
export function problemDetails(
  problems: readonly WireProblem[],
  instance: string,
  language: Language,
  given?: number,
): ProblemDetails {
  const [first] = problems;
  if (!first) throw new Error('a refusal without problems');
  const status = given ?? PROBLEM_TEXTS[first.code].status;
  return {
    type: 'about:blank',
    title: TITLES[status]?.[language] ?? String(status),
    status,
    detail: problems.length === 1 ? textOf(first, language) : severalText(problems, language),
    instance,
    code: first.code,
    errors: problems.flatMap((each) =>
      each.field === undefined ? [] : [{ field: each.field, message: textOf(each, language) }],
    ),
  };
}

/** The problem's text with its parameters filled in; parameters are data and are not expanded again. */
export function textOf({ code, params }: Pick<Problem, 'code' | 'params'>, language: Language): string {
  return fill(PROBLEM_TEXTS[code][language], params, language);
}

function fill(template: string, params: WireProblem['params'], language: Language): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => wordsOf(name, params, language));
}

/** A parameter as text. Codes of phrases and kinds of records have their own words in each language. */
function wordsOf(name: string, params: WireProblem['params'], language: Language): string {
  const value = params[name];
  const phrase = PHRASES[name]?.[value as string];
  if (phrase) return fill(phrase[language], params, language);
  if (name === 'record') return [RECORD_NAMES[value as RecordName][language], params.key].filter(isSaid).join(' ');
  if (name === 'ending') return RECORD_NAMES[params.record as RecordName].ending;
  if (name === 'by') return (value as readonly RecordUser[]).map((user) => RECORD_USERS[user][language]).join(', ');
  if (name === 'consequences') {
    const consequences = value as readonly WireProblem['params'][];
    return consequences.map((each) => wordsOf('consequence', each, language)).join('; ');
  }
  if (isBilingual(value)) return value[language];
  if (isPath(value)) return value.path;
  const text = String(value ?? '');
  if (AMOUNTS.has(name)) return amountIn(text, language);
  return COUNTS.has(name) ? COUNT_FORMS[language].format(Number(text)) : text;
}

function isSaid(part: unknown): boolean {
  return part !== undefined;
}

function isBilingual(value: unknown): value is Readonly<Record<Language, string>> {
  return typeof value === 'object' && value !== null && 'en' in value && 'pt' in value;
}

/** Parameters that are amounts in plain decimals; other text is left as it is. */
const AMOUNTS = new Set(['debits', 'credits', 'sum', 'value', 'maximumAmount']);

/** Parameters that count something: 100.000 in Portuguese, 100,000 in English. */
const COUNTS = new Set(['limit', 'count', 'told']);
const COUNT_FORMS = {
  en: new Intl.NumberFormat('en', { useGrouping: 'min2' }),
  pt: new Intl.NumberFormat('pt-BR', { useGrouping: 'min2' }),
};

/** 1.234,56 in Portuguese, 1,234.56 in English. */
function amountIn(decimal: string, language: Language): string {
  const [, sign = '', whole, decimals] = /^(-?)(\d{1,30})(?:\.(\d{1,30}))?$/.exec(decimal) ?? [];
  if (whole === undefined) return decimal;
  const [thousands, point] = language === 'pt' ? ['.', ','] : [',', '.'];
  const groups: string[] = [];
  for (let end = whole.length; end > 0; end -= 3) groups.unshift(whole.slice(Math.max(0, end - 3), end));
  return `${sign}${groups.join(thousands)}${point}${decimals ?? '00'}`;
}

/** Maximum number of problems in the one text; `errors` has all of them. */
const MAX_IN_TEXT = 10;

function severalText(problems: readonly WireProblem[], language: Language): string {
  const texts = problems.slice(0, MAX_IN_TEXT).map((each) => fieldAndText(each, language));
  const more = problems.length - texts.length;
  if (more > 0) texts.push(language === 'pt' ? `e mais ${more}` : `and ${more} more`);
  return texts.join('; ');
}

/** 'field: text', or the text alone where it names the field. */
export function fieldAndText(each: WireProblem, language: Language): string {
  const text = textOf(each, language);
  return each.field === undefined || each.field === each.params.name ? text : `${each.field}: ${text}`;
}

export const TITLES: Readonly<Record<number, Readonly<Record<Language, string>>>> = {
  400: { en: 'Invalid data', pt: 'Dados inválidos' },
  401: { en: 'Not authenticated', pt: 'Não autenticado' },
  403: { en: 'Access denied', pt: 'Acesso negado' },
  404: { en: 'Not found', pt: 'Não encontrado' },
  413: { en: 'Too large', pt: 'Grande demais' },
  415: { en: 'Unsupported media type', pt: 'Tipo de mídia não suportado' },
  429: { en: 'Too many requests', pt: 'Requisições demais' },
  500: { en: 'Internal error', pt: 'Erro interno' },
  502: { en: 'Bad gateway', pt: 'Falha em serviço externo' },
  503: { en: 'Unavailable', pt: 'Indisponível' },
};
