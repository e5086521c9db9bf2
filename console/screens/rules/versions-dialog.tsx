import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { instantText } from '../../ui/format.ts';
import { Result } from '../../ui/states.tsx';
import { SelectField } from '../../ui/text-field.tsx';
import { type Rule, versionsQuery } from './rules-data.ts';

interface VersionsProps {
  readonly rule: Rule;
  /** Takes a version into the editor; absent for whoever may not write. */
  readonly onTake: ((script: string) => void) | undefined;
  readonly onClose: () => void;
}

/** Every script that the rule has had, who wrote it and when. */
export function VersionsDialog({ rule, onTake, onClose }: VersionsProps) {
  const query = useQuery(versionsQuery(rule.id));
  const [chosen, setChosen] = useState('');
  const versions = (query.data ?? []).toReversed();
  const shown = versions.find(({ version }) => String(version) === chosen) ?? versions[0];
  const take = () => {
    if (shown?.script != null) onTake?.(shown.script);
    onClose();
  };
  return (
    <Dialog
      title={`Versões de ${rule.name}`}
      wide
      onClose={onClose}
      onSubmit={take}
      actions={
        <>
          <Button onClick={onClose}>Fechar</Button>
          {onTake && (
            <Button type="submit" kind="primary" disabled={shown?.script == null}>
              Levar ao editor
            </Button>
          )}
        </>
      }
    >
      <Result query={query} rows={4}>
        {() =>
          shown === undefined ? (
            <p>Esta regra ainda não teve script.</p>
          ) : (
            <>
              <SelectField
                label="Versão"
                value={String(shown.version)}
                onChange={setChosen}
                choices={versions.map(({ version, savedBy, savedAt }) => ({
                  value: String(version),
                  text: `${version} · ${savedBy} · ${instantText(savedAt)}`,
                }))}
              />
              <pre className="rule-version">{shown.script ?? 'Sem script nesta versão.'}</pre>
            </>
          )
        }
      </Result>
    </Dialog>
  );
}
