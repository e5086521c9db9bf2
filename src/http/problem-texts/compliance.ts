import type { ProblemTexts } from './problem-text.ts';

export const COMPLIANCE_TEXTS = {
  SCRIPT_ERROR: {
    status: 400,
    en: 'Line {line}, column {column}: {message}',
    pt: 'Linha {line}, coluna {column}: {message}',
  },
  RULE_UNKNOWN: { status: 400, en: 'There is no rule named {name}', pt: 'Não existe regra com o nome {name}' },
  BRANCH_RANGE_REVERSED: {
    status: 400,
    en: 'Branch {from} comes after {to}',
    pt: 'A filial {from} vem depois de {to}',
  },
  TOO_MANY_BRANCHES: {
    status: 400,
    en: 'More than {limit} branches: run them with ?async=true',
    pt: 'Mais de {limit} filiais: execute com ?async=true',
  },
} as const satisfies ProblemTexts;
