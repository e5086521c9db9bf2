import type { InputHTMLAttributes, ReactNode, Ref, TextareaHTMLAttributes } from 'react';
import { Field, type FieldProps } from './field.tsx';

interface ValueProps<Value> extends FieldProps {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'className' | 'style'>;

export function TextField({
  label,
  hiddenLabel,
  problem,
  hint,
  className,
  value,
  onChange,
  ref,
  ...rest
}: ValueProps<string> & InputProps & { readonly ref?: Ref<HTMLInputElement> }) {
  return (
    <Field {...{ label, hiddenLabel, problem, hint, className }}>
      {(ids) => (
        <input
          type="text"
          autoComplete="off"
          {...rest}
          {...ids}
          ref={ref}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

type AreaProps = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'value' | 'onChange' | 'className' | 'style'>;

/** Text of several lines. */
export function TextAreaField({
  label,
  hiddenLabel,
  problem,
  hint,
  className,
  value,
  onChange,
  ...rest
}: ValueProps<string> & AreaProps) {
  return (
    <Field {...{ label, hiddenLabel, problem, hint, className }}>
      {(ids) => (
        <textarea rows={3} {...rest} {...ids} value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly text: string;
}

/** One of a few; for many use ComboField. */
export function SelectField<Value extends string>({
  choices,
  disabled,
  value,
  onChange,
  ...field
}: ValueProps<Value> & { readonly choices: readonly Choice<Value>[]; readonly disabled?: boolean }) {
  return (
    <Field {...field}>
      {(ids) => (
        <select {...ids} disabled={disabled} value={value} onChange={(event) => onChange(event.target.value as Value)}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface CheckProps {
  readonly label: ReactNode;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
  readonly disabled?: boolean;
}

/** Yes or no. */
export function CheckField({ label, value, onChange, disabled }: CheckProps) {
  return (
    <label className="check">
      <input type="checkbox" checked={value} disabled={disabled} onChange={(event) => onChange(event.target.checked)} />
      <span>{label}</span>
    </label>
  );
}
