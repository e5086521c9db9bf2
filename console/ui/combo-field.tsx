import { type InputHTMLAttributes, type KeyboardEvent, type ReactNode, type Ref, useId, useRef, useState } from 'react';
import { Field, type FieldProps } from './field.tsx';

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'className' | 'style'>;

interface ComboProps<Item> extends FieldProps, InputProps {
  readonly value: Item | undefined;
  readonly onChange: (item: Item | undefined) => void;
  /** The items that fit the text, best first. An empty text gives the first ones. */
  readonly find: (text: string) => readonly Item[];
  readonly keyOf: (item: Item) => string | number;
  /** What the field shows when an item is chosen. */
  readonly textOf: (item: Item) => string;
  /** An item in the list; its text by default. */
  readonly draw?: (item: Item) => ReactNode;
  /** Said where nothing fits. */
  readonly nothing?: string;
  readonly ref?: Ref<HTMLInputElement>;
}

/**
 * A field that finds one of many while typing. ↑ ↓ walk, Enter and Tab take the marked one, Esc closes the list. The
 * best match is marked at once, so that code or words and Enter are enough.
 */
export function ComboField<Item>({
  label,
  hiddenLabel,
  problem,
  hint,
  className,
  value,
  onChange,
  find,
  keyOf,
  textOf,
  draw = textOf,
  nothing = 'Nada encontrado',
  ref,
  onKeyDown,
  onBlur,
  ...rest
}: ComboProps<Item>) {
  const listId = useId();
  const [typed, setTyped] = useState<string>();
  const [marked, setMarked] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const isOpen = typed !== undefined;
  const items = isOpen ? find(typed) : [];
  const at = Math.min(marked, items.length - 1);

  const close = () => setTyped(undefined);
  const take = (item: Item | undefined) => {
    if (item !== undefined) onChange(item);
    close();
  };
  const mark = (next: number) => {
    setMarked(next);
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' });
  };
  const open = () => {
    setTyped(value === undefined ? '' : textOf(value));
    setMarked(0);
  };
  const keyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'ArrowDown' && !event.altKey) {
      event.preventDefault();
      if (isOpen) mark(Math.min(items.length - 1, at + 1));
      else open();
    } else if (event.key === 'ArrowUp' && isOpen) {
      event.preventDefault();
      mark(Math.max(0, at - 1));
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      close();
    } else if ((event.key === 'Enter' || event.key === 'Tab') && isOpen && typed.trim() !== '') {
      // The key goes on: to the next cell of a row, or to the next field. What finds nothing stays, and is no value.
      if (items[at] === undefined) onChange(undefined);
      else take(items[at]);
    }
    onKeyDown?.(event);
  };
  return (
    <Field {...{ label, hiddenLabel, problem, hint, className: `combo ${className ?? ''}` }}>
      {(ids) => (
        <>
          <input
            type="text"
            autoComplete="off"
            spellCheck={false}
            {...rest}
            {...ids}
            ref={ref}
            role="combobox"
            aria-expanded={isOpen}
            aria-controls={isOpen ? listId : undefined}
            aria-autocomplete="list"
            aria-activedescendant={isOpen && items.length > 0 ? `${listId}-${at}` : undefined}
            value={typed ?? (value === undefined ? '' : textOf(value))}
            onChange={(event) => {
              setTyped(event.target.value);
              setMarked(0);
              if (event.target.value.trim() === '') onChange(undefined);
            }}
            onKeyDown={keyDown}
            onBlur={(event) => {
              close();
              onBlur?.(event);
            }}
          />
          {isOpen && <ComboList {...{ list, listId, label, items, at, keyOf, draw, nothing, take }} />}
        </>
      )}
    </Field>
  );
}

interface ComboListProps<Item> {
  readonly list: Ref<HTMLDivElement>;
  readonly listId: string;
  readonly label: string;
  readonly items: readonly Item[];
  /** The marked one. */
  readonly at: number;
  readonly keyOf: (item: Item) => string | number;
  readonly draw: (item: Item) => ReactNode;
  readonly nothing: string;
  readonly take: (item: Item) => void;
}

function ComboList<Item>({ list, listId, label, items, at, keyOf, draw, nothing, take }: ComboListProps<Item>) {
  return (
    <div ref={list} id={listId} role="listbox" aria-label={label} className="combo-list">
      {items.map((item, index) => (
        <div
          key={keyOf(item)}
          id={`${listId}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          className="combo-item"
          // The field keeps the focus, so that its blur does not close the list before the click.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => take(item)}
        >
          {draw(item)}
        </div>
      ))}
      {items.length === 0 && (
        <div role="option" aria-selected="false" aria-disabled="true" tabIndex={-1} className="combo-nothing">
          {nothing}
        </div>
      )}
    </div>
  );
}
