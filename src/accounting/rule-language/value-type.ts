import type { Bilingual } from './bilingual.ts';

export type ValueType = 'number' | 'text' | 'truth';

export const TYPE_NAMES: Readonly<Record<ValueType, Bilingual>> = {
  number: { pt: 'número', en: 'a number' },
  text: { pt: 'texto', en: 'a text' },
  truth: { pt: 'verdadeiro ou falso', en: 'true or false' },
};
