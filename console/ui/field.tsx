import { PartidasProblem } from 'partidas-client';
import { type ReactNode, useId } from 'react';
import { classes } from './classes.ts';

// The frame of every field: its label, its problem in the server's words beside it, a hint.

export interface FieldProps {
  readonly label: string;
  /** For the eye only the field itself; the label is read aloud. */
  readonly hiddenLabel?: boolean;
  /** What is wrong with it. */
  readonly problem?: string | undefined;
  readonly hint?: ReactNode;
  readonly className?: string;
}

export interface FieldIds {
  readonly id: string;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-describedby': string | undefined;
}

/** Draws label, problem and hint around an input, which gets the ids that bind them together. */
export function Field({
  label,
  hiddenLabel = false,
  problem,
  hint,
  className,
  children,
}: FieldProps & { readonly children: (ids: FieldIds) => ReactNode }) {
  const id = useId();
  const describedBy = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className={classes('field', problem !== undefined && 'field-wrong', className)}>
      <label htmlFor={id} className={hiddenLabel ? 'visually-hidden' : undefined}>
        {label}
      </label>
      {children({
        id,
        'aria-invalid': problem === undefined ? undefined : true,
        'aria-describedby': describedBy === '' ? undefined : describedBy,
      })}
      {problem !== undefined && (
        <p id={`${id}-problem`} className="field-problem">
          {problem}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
    </div>
  );
}

/**
 * The problems of a refusal by field: `problemsOf(error).valor`. A path inside a list keeps its brackets
 * ('entries[2].valor'); what names no field is under ''.
 */
export function problemsOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof PartidasProblem)) return {};
  const problems: Record<string, string> = {};
  for (const { field, message } of error.errors) {
    problems[field] = problems[field] === undefined ? message : `${problems[field]} ${message}`;
  }
  return problems;
}
