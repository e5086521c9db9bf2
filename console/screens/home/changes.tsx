import { useQuery } from '@tanstack/react-query';
import { PartidasProblem } from 'partidas-client';
import { api } from '../../data/client.ts';
import { type Place, usePlace } from '../../data/place.ts';
import { countText, instantText } from '../../ui/format.ts';
import { PlaceLink } from '../../ui/place-link.tsx';
import { Empty, Result } from '../../ui/states.tsx';
import { describeChanges } from './describe-changes.ts';

/** So many rows of the trail are read; many of one kind are one line. */
const READ = 100;
const SHOWN = 10;

/** The newest changes to the books, of the company or, for who reaches no more, of the branch. */
export function Changes() {
  const place = usePlace();
  const trail = useQuery({
    queryKey: ['audit', place.company, place.branch, 'newest'],
    queryFn: ({ signal }) => readTrail(place, signal),
  });
  return (
    <Result query={trail} rows={8}>
      {(rows) => {
        const changes = describeChanges(rows).slice(0, SHOWN);
        if (changes.length === 0) return <Empty title="Nada mudou ainda" />;
        return (
          <>
            <ul className="changes">
              {changes.map(({ id, at, username, did, branch, more }) => (
                <li key={id}>
                  <time dateTime={at}>{shortInstant(at)}</time>
                  <span>
                    <strong>{username}</strong> {did}
                    {branch !== null && ` na filial ${branch}`}
                    {more > 0 && <span className="changes-more">{`e mais ${countText(more)}`}</span>}
                  </span>
                </li>
              ))}
            </ul>
            <p className="changes-all">
              <PlaceLink to={{ screen: 'auditoria' }}>Ver tudo na auditoria</PlaceLink>
            </p>
          </>
        );
      }}
    </Result>
  );
}

async function readTrail({ company, branch }: Place, signal: AbortSignal) {
  const read = async (of: string) => {
    const query = { page: 0, size: READ };
    return (await api.authentication.listBranchAudit({ path: { company, branch: of }, query }, { signal })).content;
  };
  try {
    return await read('*');
  } catch (error) {
    if (error instanceof PartidasProblem && error.status === 403) return read(branch);
    throw error;
  }
}

/** '21:37' of today, '21/11' of another day. */
function shortInstant(at: string): string {
  const [day, time] = instantText(at).split(', ') as [string, string];
  return instantText(new Date().toISOString()).startsWith(day) ? time : day.slice(0, 5);
}
