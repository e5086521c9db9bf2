import { TextField } from '../../ui/text-field.tsx';

interface FilterProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** Words of the code or the name; Esc empties it, Enter and ↓ go on in the table. */
export function FilterField({ value, onChange }: FilterProps) {
  return (
    <TextField
      label="Filtrar contas"
      hiddenLabel
      type="search"
      className="trial-filter"
      placeholder="Filtrar"
      maxLength={100}
      value={value}
      onChange={onChange}
      onKeyDown={(event) => {
        if (!['Escape', 'Enter', 'ArrowDown'].includes(event.key)) return;
        if (event.key === 'Escape') onChange('');
        event.preventDefault();
        event.stopPropagation();
        document.querySelector<HTMLElement>('main .grid')?.focus();
      }}
    />
  );
}
