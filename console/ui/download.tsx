import { useState } from 'react';
import { Button } from './button.tsx';
import type { IconName } from './icon.tsx';
import { messageOf } from './states.tsx';
import { toast } from './toast.tsx';

interface DownloadButtonProps {
  /** `() => api.queries.findEntries.response(parts, { accept: 'text/csv' })` */
  readonly from: () => Promise<Response>;
  /** Name of the file where the server gives none. */
  readonly name: string | (() => string);
  readonly icon?: IconName;
  readonly title?: string;
  readonly children: string;
}

/** Fetches a file and saves it; a refusal is said. */
export function DownloadButton({ from, name, icon = 'download', title, children }: DownloadButtonProps) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      await saveResponse(await from(), typeof name === 'string' ? name : name());
    } catch (error) {
      toast(messageOf(error), { tone: 'wrong' });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button icon={icon} title={title} busy={busy} onClick={() => void save()}>
      {children}
    </Button>
  );
}

/** Saves bytes under a name, as a link with `download` would. */
export function saveAs(blob: Blob, name: string): void {
  const link = document.createElement('a');
  const address = URL.createObjectURL(blob);
  link.href = address;
  link.download = name;
  link.click();
  // Firefox reads the address after this turn.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** The file of an answer, under the name that the server gave it. */
export async function saveResponse(response: Response, fallback: string): Promise<void> {
  const disposition = response.headers.get('content-disposition') ?? '';
  const starred = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  const plain = /filename="?([^";]+)"?/i.exec(disposition)?.[1];
  saveAs(await response.blob(), starred === undefined ? (plain ?? fallback) : decodeURIComponent(starred));
}
