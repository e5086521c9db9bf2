import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Whether the page is being printed: then tables show all their rows. */
export function useIsPrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false);
  useEffect(() => {
    const media = matchMedia('print');
    // Drawn before the browser takes its picture.
    const change = () => flushSync(() => setIsPrinting(media.matches));
    media.addEventListener('change', change);
    return () => media.removeEventListener('change', change);
  }, []);
  return isPrinting;
}
