import { SelectField } from '../../ui/text-field.tsx';
import { GROUP_LABELS, TYPE_LABELS } from './labels.ts';
import { RECORD_GROUPS, RECORD_TYPES, type RecordType } from './record-types.ts';

interface RecordTypesProps {
  readonly of: RecordType;
  readonly onChoose: (slug: string) => void;
}

const LISTED = RECORD_TYPES.filter(({ screen }) => screen === undefined);

/** The types of records by group; where the page is narrow, one field. */
export function RecordTypes({ of, onChoose }: RecordTypesProps) {
  return (
    <>
      <nav className="record-types" aria-label="Tipos de cadastro">
        {RECORD_GROUPS.map((group) => (
          <section key={group}>
            <h2>{GROUP_LABELS[group]}</h2>
            <ul>
              {LISTED.filter((type) => type.group === group).map(({ slug }) => (
                <li key={slug}>
                  <button
                    type="button"
                    className="record-type"
                    aria-current={slug === of.slug ? 'page' : undefined}
                    onClick={() => onChoose(slug)}
                  >
                    {TYPE_LABELS[slug]!.title}
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <div className="record-types-narrow">
        <SelectField
          label="Cadastro"
          value={of.slug}
          onChange={onChoose}
          choices={LISTED.map(({ slug }) => ({ value: slug, text: TYPE_LABELS[slug]!.title }))}
        />
      </div>
    </>
  );
}
