import { useEffect, useState } from 'react';
import { isCnpj } from '../../../src/accounting/cnpj.ts';
import type { Month } from '../../../src/accounting/period.ts';
import { readEcdHead } from '../../data/ecd-file.ts';
import { Button } from '../../ui/button.tsx';
import { EcdImport } from '../../ui/ecd-import.tsx';
import { Panel } from '../../ui/screen.tsx';
import { Loading, messageOf } from '../../ui/states.tsx';
import { CompanyFields } from './company-fields.tsx';
import { BRANCH, companyStepsOf, type NewBooks } from './start-books.ts';
import { WhatNext } from './what-next.tsx';

interface EcdStartProps {
  readonly file: File;
  readonly empty: NewBooks;
  readonly onClose: () => void;
}

/** From a bookkeeping file to books: the company that it names, a trial with its findings and its proof, the import. */
export function EcdStart({ file, empty, onClose }: EcdStartProps) {
  const [books, setBooks] = useState<NewBooks>();
  const [isKnown, setKnown] = useState(false);
  const [done, setDone] = useState<Month>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    booksOf(file, empty).then(setBooks, setError);
  }, [file, empty]);
  const ensureCompany = async (asked: NewBooks) => {
    setError(undefined);
    try {
      for (const step of companyStepsOf(asked)) await step.run();
      setKnown(true);
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <main id="main" className="start">
      <h1>Comece pela ECD</h1>
      {books === undefined && error === undefined && <Loading rows={3} label="Lendo o arquivo" />}
      {error !== undefined && (
        <p className="field-problem" role="alert">
          {messageOf(error)}
        </p>
      )}
      {books === undefined && error !== undefined && <Button onClick={onClose}>Escolher outro arquivo</Button>}
      {books !== undefined && !isKnown && (
        <form
          className="start-form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void ensureCompany(books);
          }}
        >
          <CompanyFields books={books} onChange={setBooks} error={error} />
          <div className="start-next">
            <Button type="submit" kind="primary">
              Criar a empresa e conferir o arquivo
            </Button>
            <Button onClick={onClose}>Escolher outro arquivo</Button>
          </div>
        </form>
      )}
      {books !== undefined && isKnown && done === undefined && (
        <EcdImport company={books.company} branch={BRANCH} file={file} onDone={setDone} onClose={onClose} />
      )}
      {books !== undefined && done !== undefined && (
        <Panel title="Os livros estão abertos">
          <p className="start-hint">
            O que o arquivo diz de cada conta, em cada mês, é o que está nos livros. Os meses estão abertos: confira e
            feche-os.
          </p>
          <WhatNext company={books.company} month={done} />
        </Panel>
      )}
    </main>
  );
}

/** The company as the file names it. */
async function booksOf(file: File, empty: NewBooks): Promise<NewBooks> {
  const head = await readEcdHead(file);
  if (head === undefined)
    throw new Error(`${file.name} não é uma ECD: a primeira linha teria de começar com |0000|LECD|.`);
  const { name, cnpj, state, ibgeCode } = head;
  const found = { ...(state === '' ? {} : { state }), ...(/^\d{7}$/.test(ibgeCode) ? { ibgeCode } : {}) };
  return { ...empty, name, cnpj: isCnpj(cnpj) ? cnpj : '', found };
}
