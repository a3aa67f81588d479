// Review displays.
import schema from 'virtual:resource/review-display'
import type { ResourceDef } from '../crud/resourceDefinition'

const reviewDisplay: ResourceDef = {
  schema,
  page: '/console/main/review',
  openInList: true,
  perPosition: 1,
  columns: ['name', 'code', '_reviews', 'shows', 'index', 'updatedAt'],
  sections: [
    { title: '후기 진열', fields: ['name', 'code', 'shows', 'index'] },
    { title: '후기', fields: ['_reviews'] },
  ],
  defaultValues: { shows: true, index: 0, _reviews: [] },
}

/** The displays of one position. */
export const reviewDisplaysAt = (code: string): ResourceDef => ({
  ...reviewDisplay,
  page: `/console/main/review/${code}`,
})
