defmodule App.User do
  alias App.Repo
  # Finds one.
  def find(id) do
    Repo.get(id)
    |> check()
  end

  defp check(x), do: x
end
