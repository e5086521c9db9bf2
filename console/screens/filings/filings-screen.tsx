import { useSearchParams } from '../../data/search-params.ts';
import { CheckAnyFile } from './check-any-file.tsx';
import { Deliveries } from './deliveries.tsx';
import { WriteFiling } from './write-filing.tsx';
import './filings.css';

/** Obrigações: the regulators' files are tried, written, delivered; and those of others are checked. */
export function FilingsScreen() {
  const [{ ver }] = useSearchParams();
  if (ver === 'entregas') return <Deliveries />;
  return ver === 'verificar' ? <CheckAnyFile /> : <WriteFiling />;
}
