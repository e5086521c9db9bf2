import { type ReactNode, useState } from 'react';
import type { Month } from '../../../src/accounting/period.ts';
import { usePlace } from '../../data/place.ts';
import { Button } from '../button.tsx';
import { classes } from '../classes.ts';
import { monthTitle } from '../format.ts';
import { CheckField, SelectField, TextAreaField, TextField } from '../text-field.tsx';
import { TypedField } from '../typed-field.tsx';
import type { FieldSchema } from './form-schema.ts';
import type { FormRecord } from './form-value.ts';
import { READINGS, type TextReading } from './readings.ts';
import './forms.css';

/** What a form needs beside the document: words, and inputs of its own for some fields. */
export interface FormWords {
  readonly labelOf: (field: string) => string;
  readonly valueLabelOf: (field: string, value: string) => string;
  readonly hintOf: (field: string) => string | undefined;
  /** The input of a field that names another record; undefined: by its schema. */
  readonly inputOf?: (field: string, props: InputProps) => ReactNode | undefined;
}

/** One value of a form: its label and problem, and what changes it. */
export interface InputProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly hiddenLabel?: boolean;
  /** One of several beside each other. */
  readonly inRow?: boolean;
  readonly schema: FieldSchema;
  readonly value: unknown;
  readonly problem: string | undefined;
  readonly onChange: (value: unknown) => void;
  /** The record that the field stands in. */
  readonly record: FormRecord;
}

interface FieldsProps {
  /** A record. */
  readonly schema: FieldSchema;
  readonly value: FormRecord;
  readonly onChange: (value: FormRecord) => void;
  /** By path with points. */
  readonly problems: Readonly<Record<string, string>>;
  readonly words: FormWords;
  readonly hidden?: readonly string[];
  /** Of the record: '' or 'lines.0.'. */
  readonly path?: string;
  /** In a row: labels are read aloud only. */
  readonly inRow?: boolean;
}

/** The fields of a record, in the order of its document. */
export function SchemaFields(props: FieldsProps) {
  const { schema, value, onChange, problems, words, hidden = [], path = '', inRow = false } = props;
  const shown = Object.entries(schema.fields ?? {}).filter(
    ([name, { kind }]) => kind !== 'readOnly' && !hidden.includes(name),
  );
  return (
    <div className={inRow ? 'form-row' : 'form-fields'}>
      {shown.map(([name, field]) => (
        <SchemaField
          key={name}
          name={name}
          path={`${path}${name}`}
          problems={problems}
          words={words}
          input={{
            inRow,
            label: words.labelOf(name),
            hint: inRow ? undefined : words.hintOf(name),
            schema: field,
            value: value[name] ?? undefined,
            problem: problems[`${path}${name}`],
            onChange: (next) => onChange({ ...value, [name]: next }),
            record: value,
          }}
        />
      ))}
    </div>
  );
}

interface FieldProps {
  readonly name: string;
  readonly path: string;
  readonly problems: FieldsProps['problems'];
  readonly words: FormWords;
  readonly input: InputProps;
}

function SchemaField({ name, path, problems, words, input }: FieldProps) {
  const own = words.inputOf?.(name, input);
  if (own !== undefined) return own;
  const { schema, value, onChange } = input;
  if (schema.kind === 'record') {
    return (
      <fieldset className="form-wide">
        <legend>{input.label}</legend>
        {input.problem !== undefined && <p className="field-problem">{input.problem}</p>}
        <SchemaFields
          schema={schema}
          value={(value ?? {}) as FormRecord}
          onChange={onChange}
          problems={problems}
          words={words}
          path={`${path}.`}
        />
      </fieldset>
    );
  }
  if (schema.kind === 'list') return <ListField {...{ name, path, problems, words, input }} />;
  return <ValueField name={name} words={words} input={input} />;
}

const LONG_TEXT = 250;
const WIDE_TEXT = 60;

/** A single value. */
function ValueField({ name, words, input }: Pick<FieldProps, 'name' | 'words' | 'input'>) {
  const { schema, value, onChange, record: _, inRow = false, ...rest } = input;
  const field = { ...rest, label: schema.required ? `${rest.label} *` : rest.label };
  const text = value === undefined ? '' : String(value);
  if (schema.kind === 'flag') return <CheckField label={rest.label} value={value === true} onChange={onChange} />;
  const choices = choicesOf(name, schema, words);
  if (choices !== undefined) {
    const all = schema.required && text !== '' ? choices : [{ value: '', text: '—' }, ...choices];
    const change = (next: string) => onChange(choices.find((each) => each.value === next)?.sent);
    return <SelectField {...field} value={text} onChange={change} choices={all} />;
  }
  const reading = READINGS[schema.kind];
  if (reading) return <ReadField field={field} reading={reading} value={value} onChange={onChange} />;
  return <PlainText field={field} isOneLine={inRow} maxLength={schema.maxLength} value={text} onChange={onChange} />;
}

interface ValueChoice {
  readonly value: string;
  readonly text: string;
  readonly sent: unknown;
}

function choicesOf(name: string, schema: FieldSchema, words: FormWords): readonly ValueChoice[] | undefined {
  if (isMonthNumber(schema)) return MONTHS;
  return schema.values?.map((value) => ({ value, text: words.valueLabelOf(name, value), sent: value }));
}

interface ReadFieldProps {
  readonly field: Omit<InputProps, 'schema' | 'value' | 'onChange' | 'record' | 'inRow'>;
  readonly reading: TextReading;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** A text that is read: what cannot be read is kept as it was typed, so that it is not lost when the form is saved. */
function ReadField({ field, reading, value, onChange }: ReadFieldProps) {
  const { month: near } = usePlace();
  const [isLeft, setIsLeft] = useState(false);
  const unread = isLeft && value !== undefined && !reading.isRead(value) ? reading.wrong : undefined;
  return (
    <TypedField<unknown>
      {...field}
      problem={field.problem ?? unread}
      value={value}
      onChange={onChange}
      onFocus={() => setIsLeft(false)}
      onBlur={() => setIsLeft(true)}
      reading={{
        read: (text) => reading.read(text, near) ?? text,
        write: (each) => (reading.isRead(each) ? reading.write(each) : String(each)),
        wrong: reading.wrong,
      }}
    />
  );
}

interface PlainTextProps {
  readonly field: Omit<InputProps, 'schema' | 'value' | 'onChange' | 'record' | 'inRow'>;
  readonly isOneLine: boolean;
  readonly maxLength: number | undefined;
  readonly value: string;
  readonly onChange: (value: unknown) => void;
}

function PlainText({ field, isOneLine, maxLength, value, onChange }: PlainTextProps) {
  const change = (next: string) => onChange(next === '' ? undefined : next);
  // The server counts characters as people do, browsers count halves: it judges the last ones.
  const props = { ...field, value, onChange: change };
  if ((maxLength ?? 0) >= LONG_TEXT && !isOneLine) return <TextAreaField {...props} rows={2} className="form-wide" />;
  return <TextField {...props} className={classes((maxLength ?? 0) > WIDE_TEXT && 'form-double')} />;
}

const MONTHS: readonly ValueChoice[] = Array.from({ length: 12 }, (_, at) => ({
  value: String(at + 1),
  sent: at + 1,
  text: monthTitle(`2000-${String(at + 1).padStart(2, '0')}` as Month).split(' ')[0]!,
}));

function isMonthNumber({ minimum, maximum }: FieldSchema): boolean {
  return minimum === 1 && maximum === 12;
}

/** Several values: checks where they are few, a text with spaces, or rows. */
function ListField({ name, path, problems, words, input }: FieldProps) {
  const item = input.schema.item!;
  const values = (input.value ?? []) as readonly unknown[];
  const choices = choicesOf(name, item, words);
  if (choices) return <ChecksField input={input} choices={choices} />;
  if (item.kind === 'record' || item.kind === 'integer') {
    return <RowsField {...{ name, path, problems, words, input, item, values }} />;
  }
  return (
    <TextField
      label={input.label}
      hint={input.hint}
      problem={input.problem ?? firstBelow(problems, path)}
      value={values.join(' ')}
      onChange={(text) => input.onChange(text === '' ? undefined : text.replace(/^[\s,;]+/, '').split(/[\s,;]+/))}
      className="form-double"
    />
  );
}

/** Of the values of a text, the first problem: they have no places of their own. */
function firstBelow(problems: FieldsProps['problems'], path: string): string | undefined {
  return Object.entries(problems).find(([field]) => field.startsWith(`${path}.`))?.[1];
}

interface ChecksProps {
  readonly input: InputProps;
  readonly choices: readonly ValueChoice[];
}

function ChecksField({ input, choices }: ChecksProps) {
  const chosen = (input.value ?? []) as readonly unknown[];
  const change = (value: unknown, isChosen: boolean) =>
    input.onChange(
      choices.map((each) => each.sent).filter((each) => (each === value ? isChosen : chosen.includes(each))),
    );
  return (
    <fieldset className="form-wide form-checks">
      <legend>{input.label}</legend>
      {choices.map(({ sent, text }) => (
        <CheckField key={text} label={text} value={chosen.includes(sent)} onChange={(is) => change(sent, is)} />
      ))}
      {input.problem !== undefined && <p className="field-problem">{input.problem}</p>}
    </fieldset>
  );
}

interface RowsProps extends FieldProps {
  readonly item: FieldSchema;
  readonly values: readonly unknown[];
}

function RowsField({ name, path, problems, words, input, item, values }: RowsProps) {
  const change = (at: number, next: unknown) => input.onChange(values.with(at, next));
  const isRecord = item.kind === 'record';
  return (
    <fieldset className="form-wide">
      <legend>{input.label}</legend>
      {input.problem !== undefined && <p className="field-problem">{input.problem}</p>}
      {values.map((value, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
        <div key={at} className="form-item">
          {isRecord ? (
            <SchemaFields
              schema={item}
              value={(value ?? {}) as FormRecord}
              onChange={(next) => change(at, next)}
              problems={problems}
              words={words}
              path={`${path}.${at}.`}
              inRow
            />
          ) : (
            <SchemaField
              name={name}
              path={`${path}.${at}`}
              problems={problems}
              words={words}
              input={{
                ...{ label: `${input.label} ${at + 1}`, hiddenLabel: true, schema: item, value, record: input.record },
                problem: problems[`${path}.${at}`],
                onChange: (next) => change(at, next),
              }}
            />
          )}
          <Button
            kind="quiet"
            icon="trash"
            aria-label={`Tirar ${input.label.toLowerCase()} ${at + 1}`}
            onClick={() => input.onChange(values.toSpliced(at, 1))}
          />
        </div>
      ))}
      <Button icon="plus" onClick={() => input.onChange([...values, isRecord ? {} : undefined])}>
        Acrescentar
      </Button>
    </fieldset>
  );
}
