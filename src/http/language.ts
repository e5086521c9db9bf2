export type Language = 'en' | 'pt';

/** Portuguese when the client prefers it, else English. */
export function languageOf(acceptLanguage: string | undefined): Language {
  if (!acceptLanguage) return 'en';
  let best: { language: Language; weight: number } = { language: 'en', weight: 0 };
  for (const part of acceptLanguage.slice(0, 500).split(',')) {
    const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
    const quality = parameters.map((each) => each.trim()).find((each) => each.startsWith('q='));
    const weight = quality === undefined ? 1 : Number(quality.slice(2));
    const language = /^pt(-|$)/.test(tag) ? 'pt' : /^en(-|$)/.test(tag) ? 'en' : undefined;
    if (language && weight > best.weight) best = { language, weight };
  }
  return best.language;
}
