import { dayOf } from './dates.ts';
import type { Field } from './layout.ts';

/** What is wrong with the text of a field by its description alone: the code of the rule that it breaks. */
export function wrongOf(field: Field, text: string): string | undefined {
  if (text === '') return field.required ? 'REGRA_CAMPO_OBRIGATORIO' : undefined;
  const { kind, lengths, values } = field;
  if (kind === 'amount') {
    const digits = digitsOfAmount(text, field.decimals);
    if (digits < 0) return 'REGRA_CAMPO_INVALIDO';
    return digits > field.most ? 'REGRA_TAMANHO_CAMPO_INVALIDO' : undefined;
  }
  if (lengths.length > 0 ? !lengths.includes(text.length) : text.length > field.most)
    return 'REGRA_TAMANHO_CAMPO_INVALIDO';
  if (kind === 'digits' ? !isDigits(text) : kind === 'date' && dayOf(text) === 0) return 'REGRA_CAMPO_INVALIDO';
  return values !== undefined && !values.has(text) ? 'REGRA_VALORES_VALIDOS_INVALIDO' : undefined;
}

function isDigits(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 48 || code > 57) return false;
  }
  return true;
}

/** How many digits '1234,56' has; -1 for what is no amount. */
function digitsOfAmount(text: string, decimals: number): number {
  let comma = -1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57) continue;
    if (code !== 44 || comma >= 0 || at === 0) return -1;
    comma = at;
  }
  if (comma < 0) return text.length;
  const after = text.length - comma - 1;
  return after === 0 || after > decimals ? -1 : text.length - 1;
}
