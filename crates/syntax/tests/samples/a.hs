module Data.Thing (run) where
import qualified Data.Map as M
-- | A thing.
data Thing = Thing { x :: Int }
class Show a => Pretty a where
  pretty :: a -> String
-- | Runs.
run :: Int -> Thing
run 0 = Thing 1
run n = helper n
  where k = n
