import { useSearchParams } from '../../data/search-params.ts';
import { Books } from './books.tsx';
import { PrintedStatement } from './printed-statement.tsx';
import { StatementFigures } from './statement-figures.tsx';
import './statements.css';

/** Demonstrações e livros: balance sheet and income statement whose figures open, and the issued books. */
export function StatementsScreen() {
  const [{ ver }] = useSearchParams();
  if (ver === 'DLPA' || ver === 'DMPL') return <PrintedStatement tipo={ver} />;
  return ver === 'livros' ? <Books /> : <StatementFigures tipo={ver === 'DRE' ? 'DRE' : 'BP'} />;
}
