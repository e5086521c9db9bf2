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
