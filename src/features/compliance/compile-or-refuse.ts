import { problem, Refusal } from '../../accounting/problem.ts';
import { compileScript } from '../../accounting/rule-language/compile-script.ts';
import type { Script } from '../../accounting/rule-language/script.ts';

const MOST_PROBLEMS = 100;

/** The script ready to run; one with errors is refused with all of them, each with its place. */
export function compileOrRefuse(source: string): Script {
  const { script, diagnostics } = compileScript(source);
  // A text of the database holds neither, not even in a comment.
  if (!source.isWellFormed() || source.includes('\0')) {
    const params = { line: 1, column: 1, message: 'invalid character', messagePt: 'caractere inválido' };
    if (script !== undefined) throw new Refusal(problem('SCRIPT_ERROR', params, 'script'));
  }
  if (script !== undefined) return script;
  throw new Refusal(
    diagnostics
      .filter(({ severity }) => severity === 'error')
      .slice(0, MOST_PROBLEMS)
      .map(({ line, column, message }) =>
        problem('SCRIPT_ERROR', { line, column, message: message.en, messagePt: message.pt }, 'script'),
      ),
  );
}
