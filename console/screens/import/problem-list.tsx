import { countText } from '../../ui/format.ts';
import type { FileProblem } from './judge.ts';

interface ProblemListProps {
  readonly problems: readonly FileProblem[];
  /** Goes to the row; without it the list is to read. */
  readonly onGo?: (problem: FileProblem) => void;
}

/** Problems of one kind together: what is wrong in forty rows is mostly one thing. */
export function ProblemList({ problems, onGo }: ProblemListProps) {
  const groups = [...Map.groupBy(problems, ({ column, message }) => `${column ?? ''}\n${message}`).values()];
  return (
    <ul className="problems">
      {groups
        .toSorted((a, b) => b.length - a.length)
        .map((group) => {
          const [first] = group as [FileProblem];
          return (
            <li key={`${first.column} ${first.message}`}>
              <p className="problem-message">
                {first.message}
                {group.length > 1 && <span className="problem-count"> {countText(group.length)} vezes</span>}
              </p>
              <p className="problem-places">
                {first.column !== null && <span className="problem-column">{first.column}</span>}
                {group.slice(0, SHOWN).map((problem) =>
                  onGo ? (
                    <button key={problem.row} type="button" className="problem-row" onClick={() => onGo(problem)}>
                      linha {countText(problem.row)}
                    </button>
                  ) : (
                    <span key={problem.row}>linha {countText(problem.row)}</span>
                  ),
                )}
                {group.length > SHOWN && <span>e mais {countText(group.length - SHOWN)}</span>}
              </p>
            </li>
          );
        })}
    </ul>
  );
}

const SHOWN = 12;
