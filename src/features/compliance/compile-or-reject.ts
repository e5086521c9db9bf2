import { BusinessError, problem } from '../../accounting/problem.ts';
import { compileScript } from '../../accounting/rule-language/compile-script.ts';
import type { Script } from '../../accounting/rule-language/script.ts';

const MAX_PROBLEMS = 100;

/** The script ready to run; one with errors is refused with all of them, each with its place. */
export function compileOrRefuse(source: string): Script {
  const { script, diagnostics } = compileScript(source);
  if (script !== undefined) return script;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  throw new BusinessError(
    errors
      .slice(0, MAX_PROBLEMS)
      .map(({ line, column, message }) => problem('SCRIPT_ERROR', { line, column, message }, 'script')),
  );
}
