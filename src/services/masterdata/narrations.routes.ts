import {
  changeNarration,
  createNarration,
  deleteNarration,
  STANDARD_NARRATION,
} from '../../features/master-data/narrations/narrations.ts';
import { resourceRoutes } from './record-routes.ts';

export const narrationRoutes = resourceRoutes(
  {
    definition: STANDARD_NARRATION,
    names: { code: 'cdHistory', side: 'debcre' },
    tag: 'Histories',
    paths: { create: '/history', item: '/history/{id}' },
    changedBy: 'SETTINGS',
  },
  {
    create: (context, input, owner, company) => createNarration(context, owner, input, company),
    change: (context, key, input, owner, company) => changeNarration(context, key as number, owner, input, company),
    remove: (context, key) => deleteNarration(context, key as number),
  },
);
