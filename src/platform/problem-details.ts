import { PROBLEMS, type Problem } from '../accounting/problem.ts';

/** Body of every error answer: RFC 9457 plus the stable `code` and the fields at fault. */
export interface ProblemDetails {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: string;
  readonly errors: readonly { field: string; message: string }[];
}

export type Language = 'en' | 'pt';

/** The answer to a refusal: status and code of its first problem, a line for each problem that names a field. */
export function problemDetails(problems: readonly Problem[], instance: string, language: Language): ProblemDetails {
  const [first] = problems;
  if (!first) throw new Error('a refusal without problems');
  const status = PROBLEMS[first.code].status;
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
export function textOf(problem: Problem, language: Language): string {
  return PROBLEMS[problem.code][language].replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(problem.params[name] ?? '');
    if (AMOUNTS.has(name)) return amountIn(value, language);
    return COUNTS.has(name) ? COUNT_FORMS[language].format(Number(value)) : value;
  });
}

/** Parameters that are amounts in plain decimals; what does not look like one is left as it is. */
const AMOUNTS = new Set(['debits', 'credits', 'sum', 'value']);

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

/** Portuguese when the client prefers it, else English. */
export function languageOf(acceptLanguage: string | undefined): Language {
  let best: { language: Language; weight: number } = { language: 'en', weight: 0 };
  for (const part of (acceptLanguage ?? '').slice(0, 500).split(',')) {
    const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
    const quality = parameters.map((each) => each.trim()).find((each) => each.startsWith('q='));
    const weight = quality === undefined ? 1 : Number(quality.slice(2));
    const language = /^pt(-|$)/.test(tag) ? 'pt' : /^en(-|$)/.test(tag) ? 'en' : undefined;
    if (language && weight > best.weight) best = { language, weight };
  }
  return best.language;
}

/** Most problems in the one text; `errors` tells them all. */
const MAX_IN_TEXT = 10;

function severalText(problems: readonly Problem[], language: Language): string {
  const texts = problems.slice(0, MAX_IN_TEXT).map((each) => fieldAndText(each, language));
  const more = problems.length - texts.length;
  if (more > 0) texts.push(language === 'pt' ? `e mais ${more}` : `and ${more} more`);
  return texts.join('; ');
}

/** 'field: text', or the text alone where it names the field. */
export function fieldAndText(each: Problem, language: Language): string {
  const text = textOf(each, language);
  return each.field === undefined || each.field === each.params.name ? text : `${each.field}: ${text}`;
}

const TITLES: Readonly<Record<number, Readonly<Record<Language, string>>>> = {
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
