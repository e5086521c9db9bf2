import { useEffect, useState } from 'react';
import { loadedScreen, loadScreen } from '../routes.tsx';
import { Loading } from '../ui/states.tsx';

/**
 * A screen, grey rows until its file has come. Not React.lazy: React holds back for 300 ms whatever takes the place of
 * the grey rows of a Suspense.
 */
export function ScreenOf({ file }: { readonly file: string }) {
  const [failed, setFailed] = useState<{ readonly file: string; readonly error: unknown }>();
  const [, redraw] = useState(0);
  const Component = loadedScreen(file);
  const isMissing = Component === undefined;
  useEffect(() => {
    if (!isMissing) return;
    loadScreen(file).then(
      () => redraw((drawn) => drawn + 1),
      (error: unknown) => setFailed({ file, error }),
    );
  }, [file, isMissing]);
  if (Component !== undefined) return <Component />;
  if (failed?.file === file) throw failed.error;
  return <Loading />;
}
