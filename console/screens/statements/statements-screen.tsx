import { useSearchParams } from '../../data/search-params.ts';
import { Books } from './books.tsx';
import { StatementFigures } from './statement-figures.tsx';
import './statements.css';

/** Demonstrações e livros: balance sheet and income statement whose figures open, and the issued books. */
export function StatementsScreen() {
  const [{ ver }] = useSearchParams();
  return ver === 'livros' ? <Books /> : <StatementFigures tipo={ver === 'DRE' ? 'DRE' : 'BP'} />;
}
