import { type ComponentType, lazy, Suspense } from 'react';
import { usePlace } from '../data/place.ts';
import { loadScreen, SCREENS, screenAt } from '../routes.tsx';
import { Screen } from '../ui/screen.tsx';
import { Empty, Loading } from '../ui/states.tsx';
import { Breakage } from './breakage.tsx';

const COMPONENTS: ReadonlyMap<string, ComponentType> = new Map(
  SCREENS.map(({ path, file }) => [path, lazy(() => loadScreen(file))]),
);

/** The screen of the address; what breaks in it leaves the shell standing. */
export function ScreenOutlet() {
  const { screen, company, branch } = usePlace();
  const Component = COMPONENTS.get(screen);
  if (screenAt(screen) === undefined || Component === undefined) {
    return (
      <Screen title="Esta tela não existe" subtitle={null}>
        <Empty title="O endereço não leva a nenhuma tela" />
      </Screen>
    );
  }
  return (
    <Breakage key={`${company}/${branch}/${screen}`}>
      <Suspense fallback={<Loading />}>
        <Component />
      </Suspense>
    </Breakage>
  );
}
