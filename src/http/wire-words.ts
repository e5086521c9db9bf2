import { z } from 'zod';

/** A closed list of words that the core and the wire call differently. */
export interface WireWords<Word extends string, Wire extends string> {
  /** Takes the wire's word and gives the core's. */
  readonly input: z.ZodType<Word, Wire>;
  /** As `input`; absent means `word`. */
  inputOr(word: Word): z.ZodType<Word, Wire | undefined>;
  readonly answer: z.ZodType<Wire>;
  toWire(word: Word): Wire;
}

/** `wireOf`: the core's words, each with the wire's. `example` is a word of the core. */
export function wireWords<const Words extends Readonly<Record<string, string>>>(
  wireOf: Words,
  example?: keyof Words & string,
): WireWords<keyof Words & string, Words[keyof Words & string]> {
  type Word = keyof Words & string;
  type Wire = Words[Word];
  const wordOf = new Map(Object.entries(wireOf).map(([word, wire]) => [wire as Wire, word as Word]));
  const plain = z.enum([...wordOf.keys()] as [Wire, ...Wire[]]);
  const wire = example === undefined ? plain : plain.meta({ example: wireOf[example] });
  return {
    input: wire.transform((said) => wordOf.get(said as Wire)!) as unknown as z.ZodType<Word, Wire>,
    inputOr: (word) =>
      wire.default(wireOf[word] as never).transform((said) => wordOf.get(said as Wire)!) as unknown as z.ZodType<
        Word,
        Wire | undefined
      >,
    answer: wire as unknown as z.ZodType<Wire>,
    toWire: (word) => wireOf[word],
  };
}
