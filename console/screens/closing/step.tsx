import type { ReactNode } from 'react';
import type { Tone } from '../../ui/badge.tsx';
import { Icon } from '../../ui/icon.tsx';

interface StepProps {
  readonly title: string;
  readonly tone: Tone;
  /** What the tone means here, read aloud. */
  readonly state: string;
  readonly children?: ReactNode;
}

/** A step of the close: its mark says how far it is, by form and by colour. */
export function Step({ title, tone, state, children }: StepProps) {
  return (
    <li className={`step step-${tone}`}>
      <span className="step-mark" aria-hidden="true">
        {tone === 'done' && <Icon name="check" />}
        {tone === 'seal' && <Icon name="seal" />}
        {tone === 'wrong' && '!'}
      </span>
      <h3>
        {title} <span className="visually-hidden">({state})</span>
      </h3>
      {children}
    </li>
  );
}
