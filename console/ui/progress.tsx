import { useId } from 'react';
import { countText } from './format.ts';

interface ProgressProps {
  readonly label: string;
  /** Undefined where the end is not known. */
  readonly done?: number | undefined;
  readonly of?: number | undefined;
}

/** How far something has come, in figures as well. */
export function Progress({ label, done, of }: ProgressProps) {
  const id = useId();
  const isKnown = done !== undefined && of !== undefined && of > 0;
  return (
    <div className="progress">
      <label htmlFor={id}>
        {label}
        {isKnown && (
          <span className="progress-figures">
            {countText(done)} de {countText(of)}
          </span>
        )}
      </label>
      <progress id={id} {...(isKnown ? { value: done, max: of } : {})} />
    </div>
  );
}
