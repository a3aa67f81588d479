// Texts of answers to choose from.
import { ListDetailPage } from '../crud/ListDetailPage'
import { answerTemplate } from './resource'

export const Component = () => <ListDetailPage def={answerTemplate} />
