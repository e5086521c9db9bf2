import { z } from 'zod';
import { compileScript } from '../../accounting/rule-language/compile-script.ts';
import { formatScript } from '../../accounting/rule-language/format-script.ts';
import { languageReference } from '../../accounting/rule-language/language-reference.ts';
import { type Language, languageOf } from '../../http/language.ts';
import { route } from '../../http/route.ts';

const tag = 'Language';

const EXAMPLE = 'se SALDO_CONTAS("1.1.1") < 0 entao erro "Caixa negativo" fim';

const checkAnswer = z.object({
  valid: z.boolean(),
  diagnostics: z.array(
    z.object({
      severity: z.enum(['error', 'warning']),
      code: z.string(),
      line: z.number().int(),
      column: z.number().int(),
      found: z.string(),
      expected: z.string(),
      message: z.string(),
    }),
  ),
  formatted: z.string().nullable().meta({ description: 'Null where the syntax has errors' }),
});

export const checkRoute = route({
  operationId: 'checkScript',
  method: 'POST',
  path: '/api/compliance/check',
  summary: 'Says what is wrong with a script without running it, and formats one that can be read',
  tag,
  addition: true,
  access: { to: 'signedIn' },
  body: z.strictObject({ script: z.string() }).meta({ example: { script: EXAMPLE } }),
  accepts: ['form', 'json'],
  answer: checkAnswer.meta({ example: checkResultToWire(EXAMPLE, 'en') }),
  handle: async ({ body, raw }) => checkResultToWire(body.script, languageOf(raw.headers['accept-language'])),
});

function checkResultToWire(source: string, language: Language): z.output<typeof checkAnswer> {
  const { script, diagnostics } = compileScript(source);
  return {
    valid: script !== undefined,
    diagnostics: diagnostics.map(({ found, expected, message, ...rest }) => ({
      ...rest,
      found: found[language],
      expected: expected[language],
      message: message[language],
    })),
    formatted: formatScript(source).text ?? null,
  };
}

const described = z.object({ pt: z.string(), en: z.string() });

const languageAnswer = z.object({
  keywords: z.array(z.object({ word: z.string(), description: described })),
  operators: z.array(z.object({ operators: z.array(z.string()), description: described })),
  functions: z.array(
    z.object({
      name: z.string(),
      signature: z.string(),
      description: described,
      minimumArguments: z.number().int(),
      maximumArguments: z.number().int().nullable(),
      parameters: z.array(
        z.object({
          name: z.string(),
          type: z.string(),
          optional: z.boolean().optional(),
          repeated: z.boolean().optional(),
        }),
      ),
      examples: z.array(z.string()),
    }),
  ),
  bounds: z.record(z.string(), z.number()),
});

export const languageRoute = route({
  operationId: 'getLanguage',
  method: 'GET',
  path: '/api/compliance/language',
  summary: 'Keywords, operators, functions and bounds of the rule language, for editors',
  tag,
  addition: true,
  access: { to: 'signedIn' },
  answer: languageAnswer.meta({ example: languageReference() }),
  handle: async () => languageReference(),
});
