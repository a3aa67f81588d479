// The category tree: add, rename, reorder, move, show, hide and delete. The whole tree has one version.
import { useQueryClient } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, History as HistoryIcon, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import type { RequestBody } from '../../api/openapiTypes'
import { apiQueryKey, useApiQuery } from '../../api/query'
import type { components } from '../../api/schema.gen'
import { useForm } from '../../features/forms/useForm'
import { ko } from '../../i18n/ko'
import { cn } from '../../lib/cn'
import { name as nameRule } from '../../lib/validators'
import { Badge } from '../../ui/Badge'
import { Button, IconButton } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Checkbox } from '../../ui/Checkbox'
import { confirmDialog } from '../../ui/confirm'
import { Field } from '../../ui/Field'
import { Input, Select } from '../../ui/Input'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states'
import { toast } from '../../ui/toast'
import { CommandDialog } from '../crud/CommandDialog'
import type { Document } from '../crud/formState'
import { ImageInput } from '../crud/inputs/ImageInput'
import { RecordHistory } from '../crud/RecordHistory'
import type { Field as FieldDef } from '../crud/schema'
import { remove, UNDO_MS } from '../crud/undoableDelete'
import { crudWords, recordWords } from '../crud/words'
import { historyWords } from '../history/words'
import { DragTree, useDragRow } from './DragTree'
import {
  type Branch,
  type DropSide,
  dropped,
  flat,
  LEVELS,
  neighbouring,
  nthAt,
  type Place,
  parentsFor,
  pathOf,
  placeOf,
} from './tree'
import { categoryWords } from './words'

const t = categoryWords
const PATH = '/api/console/shop/categories'
const ONE = '/api/console/shop/categories/{id}'

type CategoryForm = RequestBody<components['schemas']['CategoryForm']>

/** Fields shown in a category's history. */
const TOLD: readonly FieldDef[] = [
  { name: 'name', label: '이름', type: 'text' },
  { name: 'parent', label: '상위 카테고리', type: 'text' },
  { name: 'index', label: '순서', type: 'integer' },
  { name: 'shows', label: '쇼핑몰 노출', type: 'boolean' },
  { name: 'visual', label: '사진', type: 'image' },
]

/** A form for one category: an existing one, or a new one under `parent`. */
type EditedBranch = { branch?: Branch; parent: string }

export function Component() {
  const client = useQueryClient()
  const { data, error, refetch } = useApiQuery(PATH)
  const [editing, setEditing] = useState<EditedBranch>()
  /** The category whose history is open; possibly a deleted one. */
  const [chosen, setChosen] = useState<Branch>()
  const touched = () => {
    for (const read of [PATH, `${ONE}/history`])
      void client.invalidateQueries({ queryKey: apiQueryKey(read).slice(0, 2) })
  }
  const showRefusal = (thrown: unknown) => {
    const refusal = toApiError(thrown)
    if (!refusal.alerted) void toast(refusal.message, { tone: 'error' })
  }

  const takeAway = async (branch: Branch) => {
    if (!(await confirmDialog({ title: recordWords.removeAsk(branch.name), yes: ko.action.remove, danger: true })))
      return
    // Restores it at its place in the tree before.
    const versionBack = ({ version }: Document) => (typeof version === 'number' ? version - 1 : undefined)
    const removed = await remove({ path: PATH, id: branch._id, called: branch.name, versionBack, changed: touched })
    if (removed) setChosen(branch)
  }

  /** Moves a category and reports its place with an undo action, which works unless the tree has changed since. */
  const move = async (tree: readonly Branch[], moving: Branch, place: Place, form: CategoryForm = {}) => {
    const before = placeOf(tree, moving)
    const send = (to: Place, version: number | undefined, more: CategoryForm = {}) =>
      call('PUT', ONE, { path: { id: moving._id }, body: { ...more, ...to, version } }).finally(touched)
    const answer = await send(place, data?.version, form)
    const back = () =>
      send(before, answer.version).then(() => void toast(historyWords.restored, { tone: 'success' }), showRefusal)
    void toast(t.moved(form.name ?? moving.name, pathOf(tree, place.parent), nthAt(tree, moving, place)), {
      tone: 'success',
      // Repeated steps share one toast.
      id: `moved-${moving._id}`,
      duration: UNDO_MS,
      action: { label: crudWords.undo, onClick: () => void back() },
    })
  }
  const drop = async (tree: readonly Branch[], moving: Branch, target: Branch, where: DropSide) => {
    const place = dropped(tree, moving, target, where)
    if (!place) return
    // Confirms moves to another level: the target row is easily missed.
    const goesElsewhere = place.parent !== placeOf(tree, moving).parent
    const [from, to] = [placeOf(tree, moving).parent, place.parent].map((parent) => pathOf(tree, parent))
    if (
      goesElsewhere &&
      !(await confirmDialog({ title: t.moveAsk(moving.name, to ?? ''), text: t.movesFrom(from ?? ''), yes: t.move }))
    )
      return
    await move(tree, moving, place).catch(showRefusal)
  }
  const step = (tree: readonly Branch[], moving: Branch, by: -1 | 1) => {
    const place = neighbouring(tree, moving, by)
    if (place) void move(tree, moving, place).catch(showRefusal)
  }
  const save = ({ branch }: EditedBranch, tree: readonly Branch[], form: CategoryForm, parent: string) => {
    if (branch && parent !== placeOf(tree, branch).parent) return move(tree, branch, { parent, before: '' }, form)
    const version = data?.version
    const sent = branch
      ? call('PUT', ONE, { path: { id: branch._id }, body: { ...form, version } })
      : call('POST', PATH, { body: { ...form, parent, version } })
    return sent.finally(touched)
  }

  return (
    <main id="content" className="mx-auto max-w-6xl">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="font-bold text-2xl">카테고리</h1>
        <Button onClick={() => setEditing({ parent: '' })}>
          <Plus aria-hidden />
          {recordWords.add}
        </Button>
      </div>
      <div className="mt-5 grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <Card>
          {error ? (
            <ErrorState error={error} onRetry={() => void refetch()} />
          ) : !data ? (
            <Loading>
              <Skeleton className="h-80" />
            </Loading>
          ) : data.categories.length === 0 ? (
            <EmptyState />
          ) : (
            <DragTree
              tree={data.categories}
              onDrop={(moving, target, where) => void drop(data.categories, moving, target, where)}
            >
              <Branches
                branches={data.categories}
                onAdd={(parent) => setEditing({ parent: parent._id })}
                onEdit={(branch, parent) => setEditing({ branch, parent: parent?._id ?? '' })}
                onRemove={(branch) => void takeAway(branch)}
                onMove={(branch, by) => step(data.categories, branch, by)}
                onHistory={setChosen}
              />
            </DragTree>
          )}
        </Card>
        {chosen ? (
          <RecordHistory
            key={chosen._id}
            title={`${chosen.name} ${historyWords.title}`}
            template={ONE}
            id={chosen._id}
            fields={TOLD}
            canRestore
          />
        ) : (
          <Card title={historyWords.title}>
            <p className="text-ink-2">카테고리의 시계 버튼을 누르면 해당 카테고리의 모든 기록을 볼 수 있습니다.</p>
          </Card>
        )}
      </div>
      {editing && data && (
        <CategoryDialog
          editing={editing}
          tree={data.categories}
          onClose={() => setEditing(undefined)}
          onSave={(form, parent) => save(editing, data.categories, form, parent)}
        />
      )}
    </main>
  )
}

type BranchesProps = {
  branches: readonly Branch[]
  parent?: Branch
  onAdd: (parent: Branch) => void
  onEdit: (branch: Branch, parent: Branch | undefined) => void
  onRemove: (branch: Branch) => void
  onMove: (branch: Branch, by: -1 | 1) => void
  onHistory: (branch: Branch) => void
}

const MARKS: Record<DropSide, string> = {
  before: 'shadow-[inset_0_2px_0_var(--color-accent)]',
  after: 'shadow-[inset_0_-2px_0_var(--color-accent)]',
  inside: 'bg-accent-soft',
}

function Branches({ branches, parent, ...rest }: BranchesProps) {
  return (
    <ul className={parent ? 'ml-4 border-line border-l pl-3 sm:ml-6' : undefined}>
      {branches.map((branch, i) => (
        <Row
          key={branch._id}
          branch={branch}
          parent={parent}
          isFirst={i === 0}
          isLast={i === branches.length - 1}
          {...rest}
        />
      ))}
    </ul>
  )
}

type RowProps = Omit<BranchesProps, 'branches'> & { branch: Branch; isFirst: boolean; isLast: boolean }

function Row({ branch, isFirst, isLast, ...props }: RowProps) {
  const { parent, onAdd, onEdit, onRemove, onMove, onHistory } = props
  const { ref, isDragging, over, handle } = useDragRow(branch)
  return (
    <li>
      <div
        ref={ref}
        className={cn(
          'flex flex-wrap items-center gap-x-2 rounded-sm py-1 hover:bg-sunken',
          isDragging && 'opacity-40',
          over && MARKS[over],
        )}
      >
        {handle}
        <span className="min-w-0 flex-1 basis-40 pl-2">
          <span className={parent ? undefined : 'font-semibold'}>{branch.name}</span>{' '}
          <span className="figures text-ink-3 text-xs">{branch.code}</span> {!branch.shows && <Badge>숨김</Badge>}
          {over === 'inside' && <Badge tone="busy">{t.inside}</Badge>}
        </span>
        <span className="flex">
          <IconButton size="sm" label={`${branch.name} 위로`} disabled={isFirst} onClick={() => onMove(branch, -1)}>
            <ArrowUp aria-hidden />
          </IconButton>
          <IconButton size="sm" label={`${branch.name} 아래로`} disabled={isLast} onClick={() => onMove(branch, 1)}>
            <ArrowDown aria-hidden />
          </IconButton>
          <IconButton
            size="sm"
            label={`${branch.name} 아래에 추가`}
            disabled={branch.depth >= LEVELS}
            onClick={() => onAdd(branch)}
          >
            <Plus aria-hidden />
          </IconButton>
          <IconButton size="sm" label={`${branch.name} 수정`} onClick={() => onEdit(branch, parent)}>
            <Pencil aria-hidden />
          </IconButton>
          <IconButton size="sm" label={`${branch.name} 기록`} onClick={() => onHistory(branch)}>
            <HistoryIcon aria-hidden />
          </IconButton>
          <IconButton
            size="sm"
            label={
              branch.children.length > 0
                ? `${branch.name} 삭제: 하위 카테고리가 있어 삭제할 수 없습니다`
                : `${branch.name} 삭제`
            }
            disabled={branch.children.length > 0}
            className="aria-disabled:pointer-events-auto aria-disabled:cursor-not-allowed"
            onClick={() => onRemove(branch)}
          >
            <Trash2 aria-hidden />
          </IconButton>
        </span>
      </div>
      {branch.children.length > 0 && <Branches {...props} branches={branch.children} parent={branch} />}
    </li>
  )
}

type CategoryDialogProps = {
  editing: EditedBranch
  tree: readonly Branch[]
  onSave: (form: CategoryForm, parent: string) => Promise<unknown>
  onClose: () => void
}

function CategoryDialog({ editing: { branch, parent: under }, tree, onSave, onClose }: CategoryDialogProps) {
  const above = flat(tree).find((one) => one._id === under)?.visual.url
  const own = branch?.visual.url && branch.visual.url !== above ? branch.visual.url : ''
  const form = useForm({
    initial: {
      name: branch?.name ?? '',
      code: branch?.code ?? '',
      parent: under,
      shows: branch?.shows ?? true,
      visual: own,
    },
    check: ({ name, code }) => ({
      name: nameRule(name),
      code: code.trim() === '' ? '코드를 입력해 주세요.' : undefined,
    }),
    send: ({ name, code, parent, shows, visual }) => {
      const picture = visual === own ? {} : { visual: { url: visual || null } }
      return onSave({ name: name.trim(), shows, ...picture, ...(branch ? {} : { code: code.trim() }) }, parent)
    },
    onSent: () => {
      // A move has already been reported.
      if (!branch || form.values.parent === under)
        void toast(branch ? recordWords.saved : recordWords.created, { tone: 'success' })
      onClose()
    },
  })
  const { values, errors } = form
  return (
    <CommandDialog title={branch ? `${branch.name} 수정` : `카테고리 ${recordWords.add}`} form={form} onClose={onClose}>
      <Field label="이름" error={errors.name} required>
        <Input maxLength={100} {...form.text('name')} />
      </Field>
      <Field label="코드" error={errors.code} hint="한 번 정하면 바꿀 수 없습니다." required>
        <Input disabled={branch !== undefined} {...form.text('code')} />
      </Field>
      <Field label="상위 카테고리" error={errors.parent}>
        <Select options={[{ value: '', label: '맨 위' }, ...parentsFor(tree, branch)]} {...form.text('parent')} />
      </Field>
      <ImageInput
        label="사진"
        value={values.visual}
        onValueChange={(next) => form.set({ visual: String(next ?? '') })}
        error={errors.visual}
      />
      {values.visual === '' && above && <p className="-mt-2 text-ink-3 text-sm">상위 카테고리의 사진을 보여 줍니다.</p>}
      <Checkbox
        label="쇼핑몰에 노출"
        checked={values.shows}
        onChange={(event) => form.set({ shows: event.target.checked })}
      />
    </CommandDialog>
  )
}
