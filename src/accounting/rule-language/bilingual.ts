/** A text for users, in Portuguese and in English. */
export interface Bilingual {
  readonly pt: string;
  readonly en: string;
}

/** The template with each `{name}` replaced by the parameter of that name in the same language. */
export function interpolate(template: Bilingual, params: Readonly<Record<string, Bilingual | string>>): Bilingual {
  return { pt: interpolateIn('pt', template, params), en: interpolateIn('en', template, params) };
}

export function inBothLanguages(text: string): Bilingual {
  return { pt: text, en: text };
}

const QUOTED_LENGTH = 40;

/** Source text as a message shows it: in quotes, short, with control characters made visible. */
export function quote(source: string): string {
  const characters = [...source.slice(0, 2 * QUOTED_LENGTH + 2)];
  const shown = characters.slice(0, QUOTED_LENGTH).join('');
  const text = `${showInvisible(shown)}${characters.length > QUOTED_LENGTH ? '…' : ''}`;
  return /[“”]/.test(text) ? `«${text}»` : `“${text}”`;
}

function interpolateIn(
  language: keyof Bilingual,
  template: Bilingual,
  params: Readonly<Record<string, Bilingual | string>>,
): string {
  return template[language].replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? '';
    return typeof value === 'string' ? value : value[language];
  });
}

function showInvisible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}]/gu, (character) => {
    const code = character.codePointAt(0)!.toString(16).toUpperCase();
    return `U+${code.padStart(4, '0')}`;
  });
}
