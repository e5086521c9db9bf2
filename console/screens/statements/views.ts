/** Key of figures: invalidated by whoever changes what stands on which line. */
export const STATEMENT_KEY = 'statement';

export const STATEMENT_VIEWS = [
  { value: 'BP', text: 'Balanço patrimonial' },
  { value: 'DRE', text: 'Resultado do exercício' },
  { value: 'DLPA', text: 'Lucros ou prejuízos acumulados' },
  { value: 'DMPL', text: 'Mutações do patrimônio líquido' },
  { value: 'livros', text: 'Livros emitidos' },
] as const;

export type View = (typeof STATEMENT_VIEWS)[number]['value'];

export function titleOf(view: View): string {
  return STATEMENT_VIEWS.find(({ value }) => value === view)!.text;
}
