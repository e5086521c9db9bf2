import { usePlace } from '../data/place.ts';
import { screenAt } from '../routes.tsx';
import { Screen } from '../ui/screen.tsx';
import { Empty } from '../ui/states.tsx';
import { Breakage } from './breakage.tsx';
import { ScreenOf } from './screen-of.tsx';

/** The screen of the address; what breaks in it leaves the shell standing. */
export function ScreenOutlet() {
  const { screen, company, branch } = usePlace();
  const entry = screenAt(screen);
  if (entry === undefined) {
    return (
      <Screen title="Esta tela não existe" subtitle={null}>
        <Empty title="O endereço não leva a nenhuma tela" />
      </Screen>
    );
  }
  return (
    <Breakage key={`${company}/${branch}/${screen}`}>
      <ScreenOf file={entry.file} />
    </Breakage>
  );
}
