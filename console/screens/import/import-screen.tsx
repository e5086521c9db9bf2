import { useState } from 'react';
import type { Month } from '../../../src/accounting/period.ts';
import { readEcdHead } from '../../data/ecd-file.ts';
import { useGo, usePlace } from '../../data/place.ts';
import { useSearchParams } from '../../data/search-params.ts';
import { useMay } from '../../data/session.ts';
import { EcdImport } from '../../ui/ecd-import.tsx';
import { Screen } from '../../ui/screen.tsx';
import { messageOf } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { ImportStart } from './import-start.tsx';
import { KeptRow } from './kept-row.tsx';
import { openSheet, type Sheet } from './sheet.ts';
import { SheetEditor } from './sheet-editor.tsx';
import './import.css';

/** Importar: a file is dropped, judged by the server, corrected cell by cell, and saved; imports of the month below. */
export function ImportScreen() {
  const { company, branch, month } = usePlace();
  const [{ partida }, setSearch] = useSearchParams();
  const [sheet, setSheet] = useState<Sheet>();
  const [ecd, setEcd] = useState<File>();
  const go = useGo();
  const mayImport = useMay('IMPORT');
  const choose = async (file: File) => {
    try {
      if (await readEcdHead(file)) return setEcd(file);
      setSheet(await openSheet(file));
    } catch (error) {
      toast(`${file.name} não pode ser lido: ${messageOf(error)}`, { tone: 'wrong' });
    }
  };
  if (partida !== undefined) return <KeptRow line={partida} onClose={() => setSearch({ partida: undefined })} />;
  if (ecd !== undefined) {
    const close = () => setEcd(undefined);
    const end = (last: Month | undefined) => {
      close();
      toast(`${ecd.name} foi importado e provado`);
      if (last !== undefined) go({ month: last });
    };
    return (
      <Screen title="Importar" subtitle={null}>
        <EcdImport company={company} branch={branch} file={ecd} onDone={end} onClose={close} />
      </Screen>
    );
  }
  if (sheet === undefined) return <ImportStart mayImport={mayImport} onFile={choose} />;
  return (
    <SheetEditor
      key={`${company} ${branch} ${month} ${sheet.name} ${sheet.file.lastModified}`}
      opened={sheet}
      onClose={() => setSheet(undefined)}
    />
  );
}
