import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useGo, usePlace } from '../data/place.ts';
import { useChart } from '../data/queries.ts';
import { Icon } from '../ui/icon.tsx';
import { useKeys } from '../ui/keys.tsx';
import { type Finding, find } from './find.ts';
import { useVisibleScreens } from './visible-screens.ts';

interface SearchProps {
  readonly onClose: () => void;
}

/** Ctrl K: leads to an account, a month, an amount, a screen or words of a narration. */
export function Search({ onClose }: SearchProps) {
  const element = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const go = useGo();
  const place = usePlace();
  const screens = useVisibleScreens();
  const { accounts = [] } = useChart();
  const [text, setText] = useState('');
  const [marked, setMarked] = useState(0);
  const findings = find(text, { place, screens, accounts });
  const at = Math.min(marked, findings.length - 1);
  useKeys([], 'dialog');
  useEffect(() => {
    const before = document.activeElement;
    element.current!.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const take = (finding: Finding | undefined) => {
    if (finding === undefined) return;
    onClose();
    go(finding.to);
  };
  const mark = (next: number) => {
    setMarked(next);
    list.current?.querySelector(`#${CSS.escape(`${id}-${next}`)}`)?.scrollIntoView({ block: 'nearest' });
  };
  const keyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    const step = steps[event.key];
    if (step !== undefined) mark(Math.max(0, Math.min(findings.length - 1, at + step)));
    else if (event.key === 'Enter') take(findings[at]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={element}
      className="search"
      aria-label="Busca"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === element.current && onClose()}
    >
      <div className="search-field">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Conta, mês, valor, tela ou histórico"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={findings.length > 0 ? `${id}-${at}` : undefined}
          placeholder="Conta, mês, valor, tela ou histórico"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setMarked(0);
          }}
          onKeyDown={keyDown}
        />
        <kbd>Esc</kbd>
      </div>
      <FindingList {...{ id, list, findings, at, take }} />
    </dialog>
  );
}

interface FindingListProps {
  readonly id: string;
  readonly list: React.Ref<HTMLDivElement>;
  readonly findings: readonly Finding[];
  readonly at: number;
  readonly take: (finding: Finding) => void;
}

function FindingList({ id, list, findings, at, take }: FindingListProps) {
  return (
    <div ref={list} id={`${id}-list`} role="listbox" aria-label="O que foi encontrado" className="search-list">
      {findings.map((finding, index) => (
        <div key={finding.key} role="presentation">
          {findings[index - 1]?.group !== finding.group && (
            <div role="presentation" className="search-group">
              {finding.group}
            </div>
          )}
          <div
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className="search-finding"
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(finding)}
          >
            <Icon name={finding.icon} />
            {finding.code !== undefined && <span className="code">{finding.code}</span>}
            <span className="grid-cut">{finding.text}</span>
            <small>{finding.hint}</small>
          </div>
        </div>
      ))}
      {findings.length === 0 && (
        <div role="option" aria-selected="false" aria-disabled="true" tabIndex={-1} className="combo-nothing">
          Nada encontrado
        </div>
      )}
    </div>
  );
}
