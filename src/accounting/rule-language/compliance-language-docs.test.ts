import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { month } from '../../../test/support/period.ts';
import { compileScript } from './compile-script.ts';
import { formatDecimal } from './decimal.ts';
import { DIAGNOSTICS } from './diagnostic.ts';
import { evaluateScript, type Value } from './evaluate-script.ts';
import { EXAMPLE_REFERENCE_MONTH, exampleBranch } from './example-branch.ts';
import { FAILURES } from './failure.ts';
import { FUNCTIONS } from './functions.ts';
import { languageReference } from './language-reference.ts';

const DOCUMENT = readFileSync(new URL('../../../docs/compliance-language.md', import.meta.url), 'utf8');
const EXAMPLES = [...DOCUMENT.matchAll(/^```regra\n(.*?)^```$/gms)].map((match) => match[1]!);
const BRANCH = exampleBranch();

/** What the example's `#=>` lines say. */
function promisedBy(example: string): string[] {
  return [...example.matchAll(/^#=> (.*)$/gm)].map((match) => match[1]!);
}

/** The same, found by compiling and running. */
function whatComesOf(source: string): string[] {
  const { script, diagnostics } = compileScript(source);
  const said = diagnostics.map(({ severity, code, line, column }) => `${severity} ${code} ${line}:${column}`);
  if (script === undefined) return said;
  const { outcome } = evaluateScript(script, { referenceMonth: EXAMPLE_REFERENCE_MONTH, balances: BRANCH });
  const { status, value, failure, messages } = outcome!;
  const result = failure === null ? shown(value) : ` ${failure.code} ${failure.line}:${failure.column}`;
  return [...said, `${status}${result}`, ...messages.map(({ text, line, column }) => `ERRO ${line}:${column} ${text}`)];
}

function shown(value: Value | null): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? ' VERDADEIRO' : ' FALSO';
  return ` ${typeof value === 'string' ? value : formatDecimal(value, 10)}`;
}

describe('docs/compliance-language.md', () => {
  it('has examples', () => {
    expect(EXAMPLES.length).toBeGreaterThan(35);
  });

  it.each(EXAMPLES)('%s', (example) => {
    expect(promisedBy(example).length).toBeGreaterThan(0);
    expect(whatComesOf(example)).toEqual(promisedBy(example));
  });

  it('has a section with an example for every function, in the order of the table', () => {
    const sections = DOCUMENT.split('## What comes of a rule')[0]!
      .split(/^### /m)
      .map((section) => /^`(\w+\(.*\))`\n/.exec(section))
      .filter((match) => match !== null);
    expect(sections.map((match) => match[1])).toEqual(FUNCTIONS.map(({ signature }) => signature));
    for (const { 1: signature, input } of sections) {
      expect(input.split('```regra')[1]).toContain(`${signature!.split('(', 1)[0]}(`);
    }
  });

  it('explains every code', () => {
    const [compiling = '', running = ''] = DOCUMENT.split('### When compiling')[1]!.split('### When running');
    expect(codesIn(compiling)).toEqual(Object.keys(DIAGNOSTICS).sort());
    expect(codesIn(running.split('## Bounds')[0]!)).toEqual(Object.keys(FAILURES).sort());
  });

  /** In the first column of its table. */
  function codesIn(section: string): string[] {
    const cells = [...section.matchAll(/^\| (`.*?) \|/gm)].map((match) => match[1]!);
    return cells.flatMap((cell) => cell.replaceAll('`', '').split(', ')).sort();
  }

  it('shows the bounds as they are', () => {
    const { bounds } = languageReference();
    const table = DOCUMENT.split('## Bounds')[1]!.split('## The example')[0]!;
    const numbers = [...table.matchAll(/\| ([\d,]+)(?: bytes)? \|$/gm)].map((match) =>
      Number(match[1]!.replace(',', '')),
    );
    expect(numbers).toEqual([
      bounds.sourceBytes,
      bounds.numberDigits,
      bounds.blockNesting,
      bounds.expressionNesting,
      bounds.diagnostics,
      bounds.evaluatedNodes,
      bounds.resultDigits,
      bounds.reads,
      bounds.monthsBack,
      bounds.messages,
      bounds.messageBytes,
      bounds.textBytes,
    ]);
  });
});

describe('languageReference', () => {
  it('survives JSON with signatures, texts in both languages and examples that run', () => {
    const reference = JSON.parse(JSON.stringify(languageReference())) as ReturnType<typeof languageReference>;
    expect(reference).toEqual(languageReference());
    expect(reference.keywords).toHaveLength(12);
    expect(reference.functions).toHaveLength(12);
    for (const { description, examples } of reference.functions) {
      expect(description.pt !== '' && description.en !== '' && examples.length > 0).toBe(true);
      for (const example of examples) {
        expect(compileScript(example).diagnostics).toEqual([]);
        expect(
          evaluateScript(compileScript(example).script!, { referenceMonth: month('2026-03'), balances: BRANCH })
            .outcome,
        ).toBeDefined();
      }
    }
  });

  it('gives the least and most arguments of a function', () => {
    const { functions } = languageReference();
    const countsOf = (name: string) => {
      const { minimumArguments, maximumArguments } = functions.find((each) => each.name === name)!;
      return [minimumArguments, maximumArguments];
    };
    expect(countsOf('SALDO_CONTA')).toEqual([1, 2]);
    expect(countsOf('SOMA_SALDO_CONTAS')).toEqual([1, null]);
    expect(countsOf('MIN')).toEqual([1, 50]);
    expect(countsOf('ARREDONDA')).toEqual([2, 2]);
  });
});
