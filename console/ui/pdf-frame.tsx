import { useEffect, useState } from 'react';

/** A PDF in the browser's own viewer; where it has none, the file is to be saved instead. */
export function PdfFrame({ blob, title }: { readonly blob: Blob; readonly title: string }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(blob);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return address === undefined ? null : (
    <iframe className="pdf-frame" title={title} src={`${address}#navpanes=0&view=FitH`} />
  );
}

export function canShowPdf(): boolean {
  return navigator.pdfViewerEnabled;
}
