import { useSearchParams } from '../../data/search-params.ts';
import { Groups } from './groups.tsx';
import { RoutineMatrix } from './routine-matrix.tsx';
import { Sessions } from './sessions.tsx';
import { Users } from './users.tsx';
import './users.css';

/** Usuários e acessos: who there is, in which groups, who may do what, and who is signed in. */
export function UsersScreen() {
  const [{ parte }] = useSearchParams();
  if (parte === 'grupos') return <Groups />;
  if (parte === 'rotinas') return <RoutineMatrix />;
  if (parte === 'sessoes') return <Sessions />;
  return <Users />;
}
