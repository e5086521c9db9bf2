import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useGo, usePlace } from '../../data/place.ts';
import { useMonthState } from '../../data/queries.ts';
import { useSearchParams } from '../../data/search-params.ts';
import { AwaitingApproval } from '../../ui/awaiting-approval.tsx';
import { Button } from '../../ui/button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Empty } from '../../ui/states.tsx';
import { BatchTree, type TreeNode } from './batch-tree.tsx';
import { DocumentPane } from './document-pane.tsx';
import { batchesQuery, entriesQuery } from './entries-data.ts';
import './entries.css';
import { FindEntries } from './find-entries.tsx';
import { NewFolderDialog } from './new-folder-dialog.tsx';
import { TemplateDialog } from './template-dialog.tsx';

type Asked = 'batch' | 'document' | 'template' | undefined;

/**
 * Lançamentos: batches and documents of the month at the left, the entries of one document and the row being typed at
 * the right. The address names the document, `?documento=12&lancamento=301`, or the search, `?procurar=1&texto=…`.
 */
export function EntriesScreen() {
  const place = usePlace();
  const [search, setSearch] = useSearchParams();
  const go = useGo();
  const isOpen = useMonthState() === 'OPEN';
  const [asked, setAsked] = useState<Asked>();
  const [marked, setMarked] = useState<TreeNode>();
  const documentId = idOf(search.documento);
  const isSearch = search.procurar !== undefined && documentId === undefined;
  const { data: batches = [] } = useQuery(batchesQuery(place));
  const shown = useQuery({ ...entriesQuery(documentId ?? 0, 'last'), enabled: documentId !== undefined });

  const openDocument = (id: number) => setSearch({ documento: String(id), lancamento: undefined }, { push: true });
  const openSearch = () => go({ search: { procurar: '1' } });
  const ask = (what: Asked) => () => (isOpen ? setAsked(what) : false);
  const keys = [
    { keys: 'Alt+P', label: 'procura', run: openSearch, minor: true },
    ...(isOpen
      ? [
          {
            keys: 'Alt+N',
            label: 'novo documento',
            run: ask(batches.length === 0 ? 'batch' : 'document'),
            minor: true,
          },
          { keys: 'Alt+L', label: 'novo lote', run: ask('batch'), minor: true },
          { keys: 'Alt+M', label: 'lançamento padrão', run: ask('template'), minor: true },
        ]
      : []),
  ];
  return (
    <Screen
      title="Lançamentos"
      keys={keys}
      actions={
        <>
          <Button icon="search" onClick={openSearch}>
            Procurar lançamentos
          </Button>
          {isOpen && (
            <span className="entries-write">
              <Button icon="copy" onClick={ask('template')}>
                Lançamento padrão
              </Button>
              <Button icon="folder" onClick={ask('batch')}>
                Novo lote
              </Button>
              {batches.length > 0 && (
                <Button icon="document" kind="primary" onClick={ask('document')}>
                  Novo documento
                </Button>
              )}
            </span>
          )}
        </>
      }
    >
      {!isSearch && <AwaitingApproval branch={place.branch} drafts />}
      {isSearch ? (
        <FindEntries />
      ) : (
        <div className={documentId === undefined ? 'entries' : 'entries entries-with-document'}>
          <BatchTree
            batchId={shown.data?.batchId}
            {...{ documentId, onOpenDocument: openDocument, onMark: setMarked }}
          />
          {documentId === undefined ? (
            <NoDocument isOpen={isOpen} isEmpty={batches.length === 0} onCreate={ask('batch')} />
          ) : (
            <DocumentPane key={documentId} documentId={documentId} entryNumber={search.lancamento} />
          )}
        </div>
      )}
      {(asked === 'batch' || asked === 'document') && (
        <NewFolderDialog
          what={asked}
          batches={batches}
          batchId={shown.data?.batchId ?? marked?.batch.id}
          onDone={openDocument}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked === 'template' && (
        <TemplateDialog batch={shown.data?.batch} onDone={openDocument} onClose={() => setAsked(undefined)} />
      )}
    </Screen>
  );
}

function NoDocument({
  isOpen,
  isEmpty,
  onCreate,
}: {
  readonly isOpen: boolean;
  readonly isEmpty: boolean;
  readonly onCreate: () => void;
}) {
  if (!isOpen) return <Empty title="Escolha um documento">Os lançamentos dele aparecem aqui, só para leitura.</Empty>;
  return (
    <Empty
      title={isEmpty ? 'Nenhum lote neste mês' : 'Escolha um documento'}
      action={
        <Button kind={isEmpty ? 'primary' : 'quiet'} icon="folder" onClick={onCreate}>
          {isEmpty ? 'Criar o primeiro lote' : 'Novo lote'}
        </Button>
      }
    >
      {isEmpty
        ? 'Um lote reúne documentos; num documento entram os lançamentos.'
        : 'Enter abre o documento marcado; Alt N cria um novo.'}
    </Empty>
  );
}

function idOf(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
